import type {
  DeferredToolUse,
  InvalidConfigFile,
  PermissionDenial,
  QueuedBehind,
  ResultBase,
  ResultErrorMessage,
  ResultMessage,
  ResultSuccessMessage,
  ResultTimings,
  StartupFailureReason,
  SubagentStats,
  TerminalReason,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "./agree.ts";
import { stopReasonSchema } from "./api-message.ts";
import { messageBase, promptStamps } from "./envelope.ts";
import { fastModeDisabledReasonSchema, fastModeStateSchema } from "./fast-mode.ts";
import { firstOf, ofKind, otherThan } from "./kinds.ts";
import { jsonObject, open } from "./open.ts";
import { messageOriginSchema } from "./origin.ts";
import { loose, pinned, shape } from "./pinned.ts";
import { modelUsageSchema, turnUsageSchema } from "./usage.ts";

/** Schema of {@link PermissionDenial}. */
export const permissionDenialSchema: z.ZodType<PermissionDenial> = loose({
  tool_name: z.string(),
  tool_use_id: z.string(),
  tool_input: jsonObject,
});

/** Schema of {@link TerminalReason}. */
export const terminalReasonSchema: z.ZodType<TerminalReason> = pinned(
  open(
    "completed",
    "api_error",
    "model_error",
    "image_error",
    "prompt_too_long",
    "blocking_limit",
    "rapid_refill_breaker",
    "malformed_tool_use_exhausted",
    "aborted_streaming",
    "aborted_tools",
    "stop_hook_prevented",
    "hook_stopped",
    "tool_deferred",
    "tool_deferred_unavailable",
    "max_turns",
    "budget_exhausted",
    "structured_output_retry_exhausted",
    "background_requested",
    "turn_setup_failed",
  ),
);

/** Schema of {@link SubagentStats}. */
export const subagentStatsSchema: z.ZodType<SubagentStats> = loose({
  spawned: z.number(),
  requested: z.looseObject({ background: z.number(), foreground: z.number(), unset: z.number() }),
  started_in_background: z.number(),
  max_depth: z.number(),
  spawned_by_subagents: z.number(),
  completed: z.number(),
  failed: z.number(),
  killed: z.looseObject({ parent: z.number(), user: z.number(), system: z.number() }),
  refused: z.looseObject({ depth_limit: z.number(), concurrency_limit: z.number(), budget: z.number() }),
  by_type: z.record(z.string(), z.number()),
});

/** Fields of {@link ResultBase}. */
const resultBase: Shape<ResultBase> = shape({
  ...messageBase,
  ...promptStamps,
  type: z.literal("result"),
  is_error: z.boolean(),
  duration_ms: z.number(),
  duration_api_ms: z.number(),
  num_turns: z.number(),
  stop_reason: stopReasonSchema.nullable(),
  total_cost_usd: z.number(),
  usage: turnUsageSchema,
  modelUsage: z.record(z.string(), modelUsageSchema),
  model_usage_since_last_result: z.record(z.string(), modelUsageSchema).exactOptional(),
  permission_denials: z.array(permissionDenialSchema),
  terminal_reason: terminalReasonSchema.exactOptional(),
  queued_turn_count: z.number().exactOptional(),
  result_index: z.number().exactOptional(),
  origin: messageOriginSchema.exactOptional(),
  fast_mode_state: fastModeStateSchema.exactOptional(),
  fast_mode_disabled_reason: fastModeDisabledReasonSchema.exactOptional(),
  resume_reason: z.string().exactOptional(),
  credential_expires_at: z.string().exactOptional(),
  subagent_stats: subagentStatsSchema.exactOptional(),
  safety_stops: z.number().exactOptional(),
  interrupted_by_shutdown: z.literal(true).exactOptional(),
  stopped_by_permission_check: z.literal(true).exactOptional(),
});

/** Schema of {@link QueuedBehind}. */
export const queuedBehindSchema: z.ZodType<QueuedBehind> = pinned(
  open("durable_post", "ephemeral_post", "retry_backoff", "hold", "none"),
);

/** Fields of {@link ResultTimings}. */
const resultTimings: Shape<ResultTimings> = shape({
  ttft_ms: z.number().exactOptional(),
  ttft_stream_ms: z.number().exactOptional(),
  time_to_request_ms: z.number().exactOptional(),
  time_to_request_from_spawn_ms: z.number().exactOptional(),
  first_content_frame_ms: z.number().exactOptional(),
  request_sent_wall_ms: z.number().exactOptional(),
  first_stream_post_ms: z.number().exactOptional(),
  first_stream_post_ack_ms: z.number().exactOptional(),
  first_stream_post_queue_wait_ms: z.number().exactOptional(),
  first_stream_post_queued_behind: queuedBehindSchema.exactOptional(),
  first_stream_post_wall_ms: z.number().exactOptional(),
  first_text_post_ms: z.number().exactOptional(),
  first_text_post_queue_wait_ms: z.number().exactOptional(),
  first_text_post_queued_behind: queuedBehindSchema.exactOptional(),
  first_text_post_wall_ms: z.number().exactOptional(),
  time_origin_ms: z.number().exactOptional(),
  warm_spare_claimed: z.boolean().exactOptional(),
});

/** Schema of {@link DeferredToolUse}. */
export const deferredToolUseSchema: z.ZodType<DeferredToolUse> = loose({
  id: z.string(),
  name: z.string(),
  input: jsonObject,
});

/** Schema of {@link ResultSuccessMessage}. */
export const resultSuccessMessageSchema: z.ZodType<ResultSuccessMessage> = loose({
  ...resultBase,
  ...resultTimings,
  subtype: z.literal("success"),
  result: z.string(),
  api_error_status: z.number().nullable().exactOptional(),
  structured_output: z.unknown().exactOptional(),
  deferred_tool_use: deferredToolUseSchema.exactOptional(),
  local_command: z.string().exactOptional(),
  api_error: z.string().exactOptional(),
  api_error_type: z.string().exactOptional(),
  api_error_code: z.string().exactOptional(),
  first_request_input_tokens: z.number().exactOptional(),
  first_request_cache_read_input_tokens: z.number().exactOptional(),
});

/** Schema of {@link StartupFailureReason}. */
export const startupFailureReasonSchema: z.ZodType<StartupFailureReason> = pinned(
  open(
    "org_pin_api_key_conflict",
    "provider_not_allowed",
    "org_verify_failed",
    "org_pin_mismatch",
    "managed_settings_invalid",
    "remote_settings_required_unavailable",
    "gateway_signin_required",
    "gateway_access_denied",
    "proxy_invalid",
    "temp_dir_unusable",
    "cwd_unavailable",
    "shell_tool_missing",
    "session_held_by_background",
    "worktree_resume_refused",
    "worktree_unverified",
    "cli_version_too_old",
    "bypass_root",
    "org_config_required_unavailable",
    "org_config_refused",
    "sandbox_required_unavailable",
    "initialize_not_first",
    "config_file_invalid",
    "managed_settings_not_delivered",
    "initialize_fields_not_delivered",
  ),
);

/** Schema of {@link InvalidConfigFile}. */
export const invalidConfigFileSchema: z.ZodType<InvalidConfigFile> = loose({
  path: z.string(),
  is_global: z.boolean(),
  backup_searched: z.boolean(),
  backup_path: z.string().exactOptional(),
});

const errorSubtypes = [
  "error_during_execution",
  "error_max_turns",
  "error_max_budget_usd",
  "error_max_structured_output_retries",
] as const;

/** Schema of {@link ResultErrorMessage}. */
export const resultErrorMessageSchema: z.ZodType<ResultErrorMessage> = loose({
  ...resultBase,
  subtype: z.union([z.enum(errorSubtypes), otherThan(["success", ...errorSubtypes])]),
  errors: z.array(z.string()),
  startup_failure_reason: startupFailureReasonSchema.exactOptional(),
  invalid_config_file: invalidConfigFileSchema.exactOptional(),
});

/** Schema of {@link ResultMessage}. */
export const resultMessageSchema: z.ZodType<ResultMessage> = ofKind(
  "type",
  "result",
  firstOf(["subtype"], [resultSuccessMessageSchema, resultErrorMessageSchema]),
);
