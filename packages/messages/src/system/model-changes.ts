import type { OpenString } from "../open.ts";
import type { SystemBase } from "./system-base.ts";

/** The model refused, and another one answers instead. Remove the retracted messages. [verified on CLI 2.1.328] */
export interface ModelRefusalFallbackMessage extends SystemBase {
  readonly subtype: "model_refusal_fallback";
  readonly trigger: OpenString<"refusal">;
  readonly direction: OpenString<"retry" | "revert" | "sticky">;
  readonly scope?: OpenString<"session" | "local">;
  readonly original_model: string;
  readonly fallback_model: string;
  readonly request_id: string | null;
  readonly api_refusal_category?: string | null;
  readonly api_refusal_explanation?: string | null;
  readonly retracted_message_uuids?: string[];
  readonly refused_user_message_uuid?: string | null;
  /** Text for people. */
  readonly content: string;
}

/** The model refused and nothing is left to try. An assistant message with an error follows. [verified on CLI 2.1.328] */
export interface ModelRefusalNoFallbackMessage extends SystemBase {
  readonly subtype: "model_refusal_no_fallback";
  readonly original_model: string;
  readonly request_id: string | null;
  readonly api_refusal_category?: string | null;
  readonly api_refusal_explanation?: string | null;
  readonly refused_user_message_uuid?: string | null;
  readonly content: string;
}

/** The model of `--fallback-model` answers, after failures of the main one. Not in the types of the official SDK. [verified on CLI 2.1.328] */
export interface ModelFallbackMessage extends SystemBase {
  readonly subtype: "model_fallback";
  readonly trigger: OpenString<
    "model_not_found" | "permission_denied" | "overloaded" | "server_error" | "last_resort" | "model_blocked"
  >;
  readonly original_model: string;
  readonly fallback_model: string;
  readonly content: string;
}

/** How much the model has thought, per delta, just before the stream event; also without partial messages. [verified on CLI 2.1.328] */
export interface ThinkingTokensMessage extends SystemBase {
  readonly subtype: "thinking_tokens";
  /** In this block so far. */
  readonly estimated_tokens: number;
  readonly estimated_tokens_delta: number;
  readonly user_message_uuid?: string;
}
