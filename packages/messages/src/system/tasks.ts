import type { McpResourceLink } from "../mcp.ts";
import type { OpenString } from "../open.ts";
import type { SystemBase } from "./system-base.ts";

/**
 * A task began: a subagent (in the foreground or background), a Bash command in the background, or one in the foreground that runs for
 * some seconds. [verified on CLI 2.1.328]
 */
export interface TaskStartedMessage extends SystemBase {
  readonly subtype: "task_started";
  readonly task_id: string;
  readonly run_id?: string;
  /** The tool use that began it. */
  readonly tool_use_id?: string;
  readonly description: string;
  readonly subagent_type?: string;
  readonly is_backgrounded?: boolean;
  readonly awaited?: boolean;
  readonly spawn_depth?: number;
  readonly parent_task_id?: string;
  readonly task_type?: TaskType;
  readonly workflow_name?: string;
  readonly prompt?: string;
  readonly skip_transcript?: boolean;
  readonly ambient?: boolean;
}

/** A step of a subagent. May come before or after the assistant message of that step. */
export interface TaskProgressMessage extends SystemBase {
  readonly subtype: "task_progress";
  readonly task_id: string;
  readonly run_id?: string;
  readonly tool_use_id?: string;
  readonly description: string;
  readonly subagent_type?: string;
  readonly usage: TaskUsage;
  readonly last_tool_name?: string;
  /** What was done so far, with `agentProgressSummaries`. */
  readonly summary?: string;
}

/** A task changed: merge the patch into what you keep. Not written for Bash in the foreground. */
export interface TaskUpdatedMessage extends SystemBase {
  readonly subtype: "task_updated";
  readonly task_id: string;
  readonly run_id?: string;
  readonly patch: TaskPatch;
}

/** A task ended. What `task_updated` calls `killed` is `stopped` here. [verified on CLI 2.1.328] */
export interface TaskNotificationMessage extends SystemBase {
  readonly subtype: "task_notification";
  readonly task_id: string;
  readonly run_id?: string;
  readonly tool_use_id?: string;
  readonly status: OpenString<"completed" | "failed" | "stopped">;
  readonly reason?: OpenString<"worker_restart">;
  /** Path of the output; empty for Bash in the foreground. */
  readonly output_file: string;
  readonly summary: string;
  /** Of agents only. */
  readonly usage?: TaskUsage;
  readonly resource_links?: McpResourceLink[];
  readonly skip_transcript?: boolean;
  readonly ambient?: boolean;
  /** Internal. */
  readonly summary_is_report?: boolean;
  /** Internal. */
  readonly handback?: string;
  /** Internal. */
  readonly handback_report?: unknown;
}

/** All tasks in the background: replace what you keep. Empty at the end, and with a conversation reset. [verified on CLI 2.1.328] */
export interface BackgroundTasksChangedMessage extends SystemBase {
  readonly subtype: "background_tasks_changed";
  readonly tasks: BackgroundTask[];
}

/** A task in the background. */
export interface BackgroundTask {
  readonly task_id: string;
  readonly run_id?: string;
  readonly task_type: TaskType;
  readonly subagent_type?: string;
  readonly description: string;
  readonly parent_task_id?: string;
  readonly ambient?: boolean;
}

/** What kind of work a task is. */
export type TaskType = OpenString<"local_agent" | "local_bash" | "local_workflow" | "mcp_task">;

/** State of a task. {@link isTerminalTaskStatus} tells which are final. */
export type TaskStatus = OpenString<"pending" | "running" | "paused" | "completed" | "failed" | "killed" | "stopped">;

/** What changed of a task. */
export interface TaskPatch {
  readonly status?: TaskStatus;
  readonly description?: string;
  /** Milliseconds since 1970. */
  readonly end_time?: number;
  readonly total_paused_ms?: number;
  readonly error?: string;
  readonly is_backgrounded?: boolean;
}

/** What a subagent used. */
export interface TaskUsage {
  readonly total_tokens: number;
  readonly tool_uses: number;
  readonly duration_ms: number;
}
