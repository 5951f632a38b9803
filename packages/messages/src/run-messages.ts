import type { MessageBase } from "./envelope.ts";
import type { OpenString } from "./open.ts";

/**
 * A tool goes on. Three kinds, told apart by their ids [verified on CLI 2.1.328]:
 *
 * Every 30 s for a running tool (`heartbeat`): `parent_tool_use_id` is the tool use, `tool_use_id` that id with a suffix. For a
 * retried request of a subagent (`subagent_retry`; one without it says that it is over): `parent_tool_use_id` is the Agent call. For a
 * slow hook: `tool_use_id` begins with `hook-`.
 */
export interface ToolProgressMessage extends MessageBase {
  readonly type: "tool_progress";
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly parent_tool_use_id: string | null;
  readonly elapsed_time_seconds: number;
  readonly heartbeat?: boolean;
  readonly task_id?: string;
  readonly subagent_type?: string;
  readonly subagent_retry?: SubagentRetry;
}

/** A request of a subagent failed and will be sent again. */
export interface SubagentRetry {
  readonly agent_id: string;
  readonly attempt: number;
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  /** HTTP status; null when there was no response. */
  readonly error_status: number | null;
  readonly error_category: string;
}

/** A few words about tools that ran, after the next assistant message. Only with CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES=1. [verified on CLI 2.1.328] */
export interface ToolUseSummaryMessage extends MessageBase {
  readonly type: "tool_use_summary";
  readonly summary: string;
  readonly preceding_tool_use_ids: string[];
  /** Internal: ISO 8601. */
  readonly timestamp?: string;
}

/** What becomes of a frame of the host that carried a `uuid`. Not in the types of the official SDK. [verified on CLI 2.1.328] */
export interface CommandLifecycleMessage extends MessageBase {
  readonly type: "command_lifecycle";
  /** The `uuid` that the host gave. */
  readonly command_uuid: string;
  /** `cancelled` when the turn ended with an error or an interrupt. */
  readonly state: OpenString<"queued" | "started" | "completed" | "cancelled" | "discarded" | "refused">;
  readonly wakeup_source?: OpenString<"loop_wakeup" | "schedule_wakeup">;
  /** Milliseconds since 1970. */
  readonly scheduled_for?: number;
  /** Internal. */
  readonly ran_ahead?: true;
}

/**
 * The conversation begins anew in the same process, as with `/clear`. Drop what you show, and the totals begin at zero.
 *
 * Carries the old `session_id`. The new one is that of the next message, not `new_conversation_id`. [verified on CLI 2.1.328]
 */
export interface ConversationResetMessage extends MessageBase {
  readonly type: "conversation_reset";
  readonly new_conversation_id: string;
  readonly trigger?: OpenString<"clear" | "plan_mode_exit" | "fresh_session" | "onboarding">;
  readonly user_message_uuid?: string;
  /** ISO 8601. */
  readonly timestamp?: string;
}

/** What the user may want to say next. With `promptSuggestions`, after the result, from the second turn on. [verified on CLI 2.1.328] */
export interface PromptSuggestionMessage extends MessageBase {
  readonly type: "prompt_suggestion";
  readonly suggestion: string;
}

/** The goal that the session works towards. Declared; CLI 2.1.328 wrote none without a terminal. */
export interface ActiveGoalMessage extends MessageBase {
  readonly type: "active_goal";
  readonly value: {
    readonly condition: string;
    readonly iterations: number;
    /** Milliseconds since 1970. */
    readonly set_at: number;
    readonly tokens_at_start: number;
    readonly last_reason?: string;
  } | null;
}

/** When a hosted worker will compact the conversation. */
export interface AutocompactStateMessage extends MessageBase {
  readonly type: "autocompact_state";
  readonly value: {
    readonly enabled: boolean;
    readonly effective_window: number;
    readonly threshold: number;
    readonly enforced: boolean;
    readonly source: string;
  };
}
