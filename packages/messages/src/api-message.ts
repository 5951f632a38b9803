import type { AssistantBlock, UserBlock } from "./content-blocks.ts";
import type { OpenString } from "./open.ts";
import type { ApiUsage } from "./usage.ts";

/** Why the model stopped. `tool_deferred` is the CLI's own, all others are the API's. */
export type StopReason = OpenString<
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "stop_sequence"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded"
  | "tool_deferred"
>;

/**
 * A response of the Messages API, or the part of it that just finished. Some gateways leave everything but `content` out.
 *
 * What the CLI makes up itself (errors, output of local commands) has the model `<synthetic>`.
 */
export interface ApiMessage {
  /** Shared by all assistant messages of one response. */
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: AssistantBlock[];
  /** Null on a streamed block; the reason is on the `message_delta` event and on the result. */
  readonly stop_reason: StopReason | null;
  readonly stop_sequence: string | null;
  readonly usage: ApiUsage;
  readonly stop_details?: unknown;
  readonly container?: unknown;
  readonly context_management?: unknown;
  readonly diagnostics?: unknown;
}

/** What a user message carries. Both forms of `content` occur, from the CLI and from hosts. */
export interface UserContent {
  readonly role: "user";
  readonly content: string | UserBlock[];
}
