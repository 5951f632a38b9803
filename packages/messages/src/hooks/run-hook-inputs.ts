import type { AssistantError } from "../assistant.ts";
import type { HookInputBase } from "./hook-input-base.ts";

/** The model ended its answer in the main conversation. Not on interrupts, API errors and limits. */
export interface StopHookInput extends StopHookInputBase {
  readonly hook_event_name: "Stop";
}

/** A subagent ended its answer. Comes with an empty `agent_type` for helpers of the CLI: pass over those. */
export interface SubagentStopHookInput extends StopHookInputBase {
  readonly hook_event_name: "SubagentStop";
  readonly agent_id: string;
  readonly agent_type: string;
  readonly agent_transcript_path: string;
}

/** What hooks at the end of an answer are told. */
export interface StopHookInputBase extends HookInputBase {
  /** True when a hook has already kept this answer from ending. */
  readonly stop_hook_active: boolean;
  readonly last_assistant_message?: string;
  readonly background_tasks?: BackgroundTaskSummary[];
  readonly session_crons?: SessionCronSummary[];
}

/** A task that goes on in the background. */
export interface BackgroundTaskSummary {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly description: string;
  readonly command?: string;
  readonly agent_type?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly name?: string;
}

/** A prompt that the session will send itself. */
export interface SessionCronSummary {
  readonly id: string;
  readonly schedule: string;
  readonly recurring: boolean;
  readonly prompt: string;
}

/** An API error ended the turn. */
export interface StopFailureHookInput extends HookInputBase {
  readonly hook_event_name: "StopFailure";
  readonly error: AssistantError;
  readonly error_details?: string;
  readonly last_assistant_message?: string;
}

/** A subagent begins. To refuse it use PreToolUse on `Agent`. */
export interface SubagentStartHookInput extends HookInputBase {
  readonly hook_event_name: "SubagentStart";
  readonly agent_id: string;
  readonly agent_type: string;
}

/** A member of a team has nothing to do. Never provoked. */
export interface TeammateIdleHookInput extends HookInputBase {
  readonly hook_event_name: "TeammateIdle";
  readonly teammate_name: string;
  readonly team_name: string;
}

/** An entry of the task list was made. */
export interface TaskCreatedHookInput extends TaskHookInputBase {
  readonly hook_event_name: "TaskCreated";
}

/** An entry of the task list was completed. */
export interface TaskCompletedHookInput extends TaskHookInputBase {
  readonly hook_event_name: "TaskCompleted";
}

/** What hooks of the task list are told. */
export interface TaskHookInputBase extends HookInputBase {
  readonly task_id: string;
  readonly task_subject: string;
  readonly task_description?: string;
  readonly teammate_name?: string;
  readonly team_name?: string;
}
