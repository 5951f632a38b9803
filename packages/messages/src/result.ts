import type { StopReason } from "./api-message.ts";
import type { MessageBase, PromptStamps } from "./envelope.ts";
import type { FastModeDisabledReason, FastModeState } from "./fast-mode.ts";
import type { OpenString, UnknownValue } from "./open.ts";
import type { MessageOrigin } from "./origin.ts";
import type { ModelUsage, TurnUsage } from "./usage.ts";

/**
 * A turn ended: exactly one per turn that ran. There may be more results than prompts (background work wakes the session) and
 * fewer (prompts are folded into one turn).
 *
 * `is_error` is the verdict, not the subtype: an API error comes as `success` with `is_error: true`. {@link resultOutcome} tells
 * what happened. [verified on CLI 2.1.328]
 */
export type ResultMessage = ResultSuccessMessage | ResultErrorMessage;

/** What every result has. */
export interface ResultBase extends MessageBase, PromptStamps {
  readonly type: "result";
  readonly is_error: boolean;
  /** Milliseconds that the turn took. */
  readonly duration_ms: number;
  /** Milliseconds that requests to the API took. */
  readonly duration_api_ms: number;
  /** One more than the user messages of the main conversation in the turn; no count of requests. 0 where no model ran. */
  readonly num_turns: number;
  /** The API's last stop reason, or `tool_deferred`. */
  readonly stop_reason: StopReason | null;
  /** US dollars since the process began: a running total and an estimate. Never sum it; see {@link UsageMeter}. */
  readonly total_cost_usd: number;
  /** The turn's main loop only. */
  readonly usage: TurnUsage;
  /** Per model since the process began, everything included: a running total. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  /** Per model since the last result. */
  readonly model_usage_since_last_result?: Readonly<Record<string, ModelUsage>>;
  /** Calls that were refused, by whomever: the authority on it. */
  readonly permission_denials: PermissionDenial[];
  /** Why the turn ended; absent on results of local commands, blocked prompts and failed starts, and from older CLIs. */
  readonly terminal_reason?: TerminalReason;
  /** Prompts of the host that still wait, without those of priority `later`. */
  readonly queued_turn_count?: number;
  /** Counts the results of one process from 0; a gap means a lost result. */
  readonly result_index?: number;
  /** Where the prompt came from. */
  readonly origin?: MessageOrigin;
  readonly fast_mode_state?: FastModeState;
  readonly fast_mode_disabled_reason?: FastModeDisabledReason;
  /** The turn went on where a restart of the worker had cut it. */
  readonly resume_reason?: string;
  /** ISO 8601. */
  readonly credential_expires_at?: string;
  readonly subagent_stats?: SubagentStats;
  readonly safety_stops?: number;
  readonly interrupted_by_shutdown?: true;
  readonly stopped_by_permission_check?: true;
}

/** The turn came to an answer, or to an API error: look at `is_error`. */
export interface ResultSuccessMessage extends ResultBase, ResultTimings {
  readonly subtype: "success";
  /** The last text of the model; with `is_error` the text of the error; empty where no model ran. */
  readonly result: string;
  /** HTTP status of the API error. */
  readonly api_error_status?: number | null;
  /** The value that `--json-schema` asked for. */
  readonly structured_output?: unknown;
  /** The tool use that a hook put off, with terminal reason `tool_deferred`. */
  readonly deferred_tool_use?: DeferredToolUse;
  /** The local command that was run instead of a turn. */
  readonly local_command?: string;
  /** Internal: finer than the status, such as `max_output_tokens`. */
  readonly api_error?: string;
  /** Internal: the API's own name of the error. */
  readonly api_error_type?: string;
  /** Internal. */
  readonly api_error_code?: string;
  /** Internal. */
  readonly first_request_input_tokens?: number;
  /** Internal. */
  readonly first_request_cache_read_input_tokens?: number;
}

/** The turn did not come to an answer. A subtype that is not known yet counts as one of these. */
export interface ResultErrorMessage extends ResultBase {
  readonly subtype:
    | "error_during_execution"
    | "error_max_turns"
    | "error_max_budget_usd"
    | "error_max_structured_output_retries"
    | UnknownValue;
  /** What went wrong. For interrupted turns a diagnostic that means nothing to people. */
  readonly errors: string[];
  /** Why the CLI did not start: the result is the only message then, and its totals mean nothing. */
  readonly startup_failure_reason?: StartupFailureReason;
  /** The configuration file that could not be read. */
  readonly invalid_config_file?: InvalidConfigFile;
}

/** Times of a turn, in milliseconds. Those with `post` come from remote sessions, those with `wall` are clock times. */
export interface ResultTimings {
  readonly ttft_ms?: number;
  readonly ttft_stream_ms?: number;
  readonly time_to_request_ms?: number;
  readonly time_to_request_from_spawn_ms?: number;
  readonly first_content_frame_ms?: number;
  readonly request_sent_wall_ms?: number;
  readonly first_stream_post_ms?: number;
  readonly first_stream_post_ack_ms?: number;
  readonly first_stream_post_queue_wait_ms?: number;
  readonly first_stream_post_queued_behind?: QueuedBehind;
  readonly first_stream_post_wall_ms?: number;
  readonly first_text_post_ms?: number;
  readonly first_text_post_queue_wait_ms?: number;
  readonly first_text_post_queued_behind?: QueuedBehind;
  readonly first_text_post_wall_ms?: number;
  readonly time_origin_ms?: number;
  readonly warm_spare_claimed?: boolean;
}

/** What a post of a remote session waited for. */
export type QueuedBehind = OpenString<"durable_post" | "ephemeral_post" | "retry_backoff" | "hold" | "none">;

/** Why a turn ended. */
export type TerminalReason = OpenString<
  | "completed"
  | "api_error"
  | "model_error"
  | "image_error"
  | "prompt_too_long"
  | "blocking_limit"
  | "rapid_refill_breaker"
  | "malformed_tool_use_exhausted"
  | "aborted_streaming"
  | "aborted_tools"
  | "stop_hook_prevented"
  | "hook_stopped"
  | "tool_deferred"
  | "tool_deferred_unavailable"
  | "max_turns"
  | "budget_exhausted"
  | "structured_output_retry_exhausted"
  | "background_requested"
  | "turn_setup_failed"
>;

/** Why the CLI did not start. */
export type StartupFailureReason = OpenString<
  | "org_pin_api_key_conflict"
  | "provider_not_allowed"
  | "org_verify_failed"
  | "org_pin_mismatch"
  | "managed_settings_invalid"
  | "remote_settings_required_unavailable"
  | "gateway_signin_required"
  | "gateway_access_denied"
  | "proxy_invalid"
  | "temp_dir_unusable"
  | "cwd_unavailable"
  | "shell_tool_missing"
  | "session_held_by_background"
  | "worktree_resume_refused"
  | "worktree_unverified"
  | "cli_version_too_old"
  | "bypass_root"
  | "org_config_required_unavailable"
  | "org_config_refused"
  | "sandbox_required_unavailable"
  | "initialize_not_first"
  | "config_file_invalid"
  | "managed_settings_not_delivered"
  | "initialize_fields_not_delivered"
>;

/** A configuration file that could not be read. */
export interface InvalidConfigFile {
  readonly path: string;
  readonly is_global: boolean;
  readonly backup_searched: boolean;
  readonly backup_path?: string;
}

/** A tool call that was refused. `tool_input` may be normalised: a relative path has become absolute. */
export interface PermissionDenial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** A tool use that was put off. */
export interface DeferredToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What became of the subagents of a session. */
export interface SubagentStats {
  readonly spawned: number;
  readonly requested: { readonly background: number; readonly foreground: number; readonly unset: number };
  readonly started_in_background: number;
  readonly max_depth: number;
  readonly spawned_by_subagents: number;
  readonly completed: number;
  readonly failed: number;
  readonly killed: { readonly parent: number; readonly user: number; readonly system: number };
  readonly refused: { readonly depth_limit: number; readonly concurrency_limit: number; readonly budget: number };
  /** Count per kind of subagent. */
  readonly by_type: Readonly<Record<string, number>>;
}
