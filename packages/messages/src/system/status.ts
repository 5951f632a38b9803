import type { OpenString } from "../open.ts";
import type { PermissionMode } from "../permissions.ts";
import type { SystemBase } from "./system-base.ts";

/**
 * What the CLI is doing. `requesting` comes before each request of the main conversation, with partial messages only; `compacting`
 * and then null with `compact_result` around a compaction; null with `permissionMode` after a change of the mode. A change of the
 * model has none. [verified on CLI 2.1.328]
 */
export interface StatusMessage extends SystemBase {
  readonly subtype: "status";
  readonly status: OpenString<"compacting" | "requesting"> | null;
  readonly permissionMode?: PermissionMode;
  readonly compact_result?: OpenString<"success" | "failed">;
  /** Such as `too_few_groups` or `exhausted`, or the text of an error. */
  readonly compact_error?: string;
  readonly user_message_uuids?: string[];
  /** Internal. */
  readonly compact_output_chars?: number;
}

/**
 * Whether the session works. `idle` follows the result and those that were held back: the only sign that work is over.
 *
 * Only with CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1. With CLAUDE_CODE_SDK_READS_SESSION_STATE=1 it is marked `sdk_host_only` and
 * meant for the host alone. [verified on CLI 2.1.328]
 */
export interface SessionStateChangedMessage extends SystemBase {
  readonly subtype: "session_state_changed";
  /** `requires_action` comes before the permission question, `running` after the answer. */
  readonly state: OpenString<"idle" | "running" | "requires_action">;
  /** Internal: the host keeps the message to itself. */
  readonly sdk_host_only?: boolean;
}

/** Beside a control request that takes long, such as `side_question`. */
export interface ControlRequestProgressMessage extends SystemBase {
  readonly subtype: "control_request_progress";
  /** Id of the host's control request. */
  readonly request_id: string;
  readonly status: OpenString<"started" | "api_retry">;
  readonly attempt?: number;
  readonly max_retries?: number;
  readonly retry_delay_ms?: number;
  readonly error_status?: number | null;
}
