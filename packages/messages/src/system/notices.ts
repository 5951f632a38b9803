import type { OpenString } from "../open.ts";
import type { DecisionReasonType } from "../permissions.ts";
import type { SystemBase } from "./system-base.ts";

/**
 * Something for people to read: a prompt that a hook blocked, the `systemMessage` of a hook, a failed hook callback, a refusal.
 *
 * The same message may come twice with the same `uuid`. [verified on CLI 2.1.328]
 */
export interface InformationalMessage extends SystemBase {
  readonly subtype: "informational";
  readonly content: string;
  readonly level: OpenString<"info" | "notice" | "suggestion" | "warning">;
  readonly tool_use_id?: string;
  readonly prevent_continuation?: boolean;
  /** Such as `hook_callback_failed`. */
  readonly tag?: string;
  /** Internal: what became of a prompt that a hook looked at. */
  readonly prompt_submit_outcome?: PromptSubmitOutcome;
  /** Internal. */
  readonly isMeta?: boolean;
  /** Internal: ISO 8601. */
  readonly timestamp?: string;
  /** Internal. */
  readonly model_restriction?: unknown;
  /** Internal. */
  readonly hook_no_verdict?: unknown;
  /** Internal. */
  readonly saved_files?: unknown[];
}

/** What became of a prompt that a hook stopped. */
export interface PromptSubmitOutcome {
  readonly kind: OpenString<"blocked_by_hook" | "stopped_by_hook" | "no_verdict">;
  readonly prompt_kept: boolean;
  readonly reason?: string;
  readonly no_verdict_kind?: string;
}

/** A short note, such as a compaction that failed in the background. */
export interface NotificationMessage extends SystemBase {
  readonly subtype: "notification";
  /** A newer note of the same key replaces an older one. */
  readonly key: string;
  readonly text: string;
  readonly priority: OpenString<"low" | "medium" | "high" | "immediate">;
  readonly color?: string;
  readonly timeout_ms?: number;
}

/** Output of a local command. Declared; CLI 2.1.328 writes an assistant message instead. */
export interface LocalCommandOutputMessage extends SystemBase {
  readonly subtype: "local_command_output";
  readonly content: string;
}

/**
 * A tool was refused without asking the host: by a deny rule, by mode `dontAsk`, or because there was nobody to ask. Comes before the
 * tool's result. Denials of the host and of hooks write none; `permission_denials` of the result has all. [verified on CLI 2.1.328]
 */
export interface PermissionDeniedMessage extends SystemBase {
  readonly subtype: "permission_denied";
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly agent_id?: string;
  /** Absent when there was nobody to ask. */
  readonly decision_reason_type?: DecisionReasonType;
  readonly decision_reason?: string;
  /** Internal. */
  readonly decision_reason_code?: string;
  readonly message: string;
}

/** An MCP server says that a sign-in by URL is done. */
export interface ElicitationCompleteMessage extends SystemBase {
  readonly subtype: "elicitation_complete";
  readonly mcp_server_name: string;
  readonly elicitation_id: string;
}

/** Memories were brought into the conversation. */
export interface MemoryRecallMessage extends SystemBase {
  readonly subtype: "memory_recall";
  readonly mode: OpenString<"select" | "synthesize">;
  readonly memories: {
    readonly path: string;
    readonly scope: OpenString<"personal" | "team" | "organization">;
    readonly content?: string;
  }[];
}
