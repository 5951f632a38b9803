import type { MessageBase } from "./envelope.ts";
import type { OpenString } from "./open.ts";

/**
 * Messages that CLI 2.1.328 declares for its own engine and writes to no pipe. Typed so that none is unknown should one come; the
 * shapes may change without notice.
 */
export type EngineMessage =
  | ApiMetricsMessage
  | ApplyFlagSettingsMessage
  | AttachmentMessage
  | CompactProgressMessage
  | HintClearsMessage
  | OpenMessageSelectorMessage
  | OsNotificationMessage
  | RefusalContinuationMessage
  | ResponseLengthMessage
  | SetExpandedViewMessage
  | SetInProgressToolUseIdsMessage
  | StreamModeMessage
  | TombstoneMessage;

/** Measures of a request to the API. */
export interface ApiMetricsMessage extends MessageBase {
  readonly type: "api_metrics";
  readonly event: unknown;
}

/** Settings to take over. The control request of the same name is something else. */
export interface ApplyFlagSettingsMessage extends MessageBase {
  readonly type: "apply_flag_settings";
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Something that was attached to the conversation. */
export interface AttachmentMessage extends MessageBase {
  readonly type: "attachment";
  readonly attachment: unknown;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** How far a compaction is. */
export interface CompactProgressMessage extends MessageBase {
  readonly type: "compact_progress";
  readonly event: unknown;
}

/** Hints that no longer hold. */
export interface HintClearsMessage extends MessageBase {
  readonly type: "hint_clears";
  readonly ids: unknown[];
  readonly content_by_id: Readonly<Record<string, unknown>>;
}

/** A terminal shows the list of messages. */
export interface OpenMessageSelectorMessage extends MessageBase {
  readonly type: "open_message_selector";
}

/** The operating system notifies the user. */
export interface OsNotificationMessage extends MessageBase {
  readonly type: "os_notification";
  readonly message: string;
  readonly notification_type: string;
}

/** The answer goes on after a refusal. */
export interface RefusalContinuationMessage extends MessageBase {
  readonly type: "refusal_continuation";
  readonly phase: OpenString<"begin">;
  readonly salvage_text: string;
}

/** The answer grew. */
export interface ResponseLengthMessage extends MessageBase {
  readonly type: "response_length";
  readonly op: OpenString<"add">;
  readonly delta: number;
}

/** A terminal shows another list. */
export interface SetExpandedViewMessage extends MessageBase {
  readonly type: "set_expanded_view";
  readonly expanded_view: OpenString<"none" | "tasks" | "teammates">;
}

/** The tools that run have changed. */
export interface SetInProgressToolUseIdsMessage extends MessageBase {
  readonly type: "set_in_progress_tool_use_ids";
  readonly op: Readonly<Record<string, unknown>>;
}

/** What the model is doing. */
export interface StreamModeMessage extends MessageBase {
  readonly type: "stream_mode";
  readonly mode: OpenString<"tool-input" | "tool-use" | "requesting" | "responding" | "thinking">;
}

/** A message to remove. */
export interface TombstoneMessage extends MessageBase {
  readonly type: "tombstone";
  readonly message: unknown;
}
