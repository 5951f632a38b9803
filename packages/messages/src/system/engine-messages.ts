import type { OpenString } from "../open.ts";
import type { SystemBase } from "./system-base.ts";

/**
 * System messages that CLI 2.1.328 declares for its own engine and writes to no pipe. Typed so that none is unknown should one come;
 * the shapes may change without notice.
 */
export type EngineSystemMessage =
  | AgentsKilledMessage
  | ApiErrorMessage
  | AwaySummaryMessage
  | FileSnapshotMessage
  | MemorySavedMessage
  | PermissionRetryMessage
  | ScheduledTaskFireMessage
  | StopHookSummaryMessage
  | ThinkingMessage
  | TurnDurationMessage;

/** Agents were stopped. */
export interface AgentsKilledMessage extends SystemBase {
  readonly subtype: "agents_killed";
}

/** A request to the API failed. On the pipe it is {@link ApiRetryMessage}. */
export interface ApiErrorMessage extends SystemBase {
  readonly subtype: "api_error";
  readonly error: Readonly<Record<string, unknown>>;
  readonly retry_in_ms: number;
  readonly retry_attempt: number;
  readonly max_retries: number;
}

/** What happened while the user was away. */
export interface AwaySummaryMessage extends SystemBase {
  readonly subtype: "away_summary";
  readonly content: string;
}

/** Files were recorded, to be set back later. */
export interface FileSnapshotMessage extends SystemBase {
  readonly subtype: "file_snapshot";
  readonly content: string;
  readonly snapshot_files: unknown[];
}

/** Memories were written. */
export interface MemorySavedMessage extends SystemBase {
  readonly subtype: "memory_saved";
  readonly written_paths: unknown[];
  readonly team_count?: number;
  readonly verb?: string;
}

/** Commands that were refused may be tried again. */
export interface PermissionRetryMessage extends SystemBase {
  readonly subtype: "permission_retry";
  readonly content: string;
  readonly commands: unknown[];
}

/** A scheduled task is due. */
export interface ScheduledTaskFireMessage extends SystemBase {
  readonly subtype: "scheduled_task_fire";
  readonly content: string;
}

/** What the Stop hooks did. */
export interface StopHookSummaryMessage extends SystemBase {
  readonly subtype: "stop_hook_summary";
  readonly hook_count: number;
  readonly hook_infos: unknown[];
  readonly hook_errors: unknown[];
  readonly hook_additional_context?: unknown[];
  readonly prevented_continuation: boolean;
  readonly stop_reason?: string;
  readonly has_output: boolean;
  readonly level: OpenString<"info" | "notice" | "suggestion" | "warning">;
  readonly tool_use_id?: string;
  readonly hook_label?: string;
  readonly total_duration_ms?: number;
}

/** A line about the model's thinking. The thinking itself is a {@link ThinkingBlock}. */
export interface ThinkingMessage extends SystemBase {
  readonly subtype: "thinking";
  readonly content: string;
}

/** How long a turn took, and what it used of its budget. */
export interface TurnDurationMessage extends SystemBase {
  readonly subtype: "turn_duration";
  readonly duration_ms: number;
  readonly budget_tokens?: number;
  readonly budget_limit?: number;
  readonly budget_nudges?: number;
  readonly message_count?: number;
  readonly pending_background_agent_count?: number;
  readonly pending_workflow_count?: number;
}
