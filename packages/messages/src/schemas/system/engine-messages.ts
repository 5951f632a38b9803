import type {
  AgentsKilledMessage,
  ApiErrorMessage,
  AwaySummaryMessage,
  EngineSystemMessage,
  FileSnapshotMessage,
  MemorySavedMessage,
  PermissionRetryMessage,
  ScheduledTaskFireMessage,
  StopHookSummaryMessage,
  ThinkingMessage,
  TurnDurationMessage,
} from "@reins/messages";
import * as z from "zod";
import { kindsOf } from "../kinds.ts";
import { jsonObject, open } from "../open.ts";
import type { SchemasByKind } from "../tables.ts";
import { system } from "./system-base.ts";

/** Schema of {@link AgentsKilledMessage}. */
export const agentsKilledMessageSchema: z.ZodType<AgentsKilledMessage> = system("agents_killed", {});

/** Schema of {@link ApiErrorMessage}. */
export const apiErrorMessageSchema: z.ZodType<ApiErrorMessage> = system("api_error", {
  error: jsonObject,
  retry_in_ms: z.number(),
  retry_attempt: z.number(),
  max_retries: z.number(),
});

/** Schema of {@link AwaySummaryMessage}. */
export const awaySummaryMessageSchema: z.ZodType<AwaySummaryMessage> = system("away_summary", { content: z.string() });

/** Schema of {@link FileSnapshotMessage}. */
export const fileSnapshotMessageSchema: z.ZodType<FileSnapshotMessage> = system("file_snapshot", {
  content: z.string(),
  snapshot_files: z.array(z.unknown()),
});

/** Schema of {@link MemorySavedMessage}. */
export const memorySavedMessageSchema: z.ZodType<MemorySavedMessage> = system("memory_saved", {
  written_paths: z.array(z.unknown()),
  team_count: z.number().exactOptional(),
  verb: z.string().exactOptional(),
});

/** Schema of {@link PermissionRetryMessage}. */
export const permissionRetryMessageSchema: z.ZodType<PermissionRetryMessage> = system("permission_retry", {
  content: z.string(),
  commands: z.array(z.unknown()),
});

/** Schema of {@link ScheduledTaskFireMessage}. */
export const scheduledTaskFireMessageSchema: z.ZodType<ScheduledTaskFireMessage> = system("scheduled_task_fire", {
  content: z.string(),
});

/** Schema of {@link StopHookSummaryMessage}. */
export const stopHookSummaryMessageSchema: z.ZodType<StopHookSummaryMessage> = system("stop_hook_summary", {
  hook_count: z.number(),
  hook_infos: z.array(z.unknown()),
  hook_errors: z.array(z.unknown()),
  hook_additional_context: z.array(z.unknown()).exactOptional(),
  prevented_continuation: z.boolean(),
  stop_reason: z.string().exactOptional(),
  has_output: z.boolean(),
  level: open("info", "notice", "suggestion", "warning"),
  tool_use_id: z.string().exactOptional(),
  hook_label: z.string().exactOptional(),
  total_duration_ms: z.number().exactOptional(),
});

/** Schema of {@link ThinkingMessage}. */
export const thinkingMessageSchema: z.ZodType<ThinkingMessage> = system("thinking", { content: z.string() });

/** Schema of {@link TurnDurationMessage}. */
export const turnDurationMessageSchema: z.ZodType<TurnDurationMessage> = system("turn_duration", {
  duration_ms: z.number(),
  budget_tokens: z.number().exactOptional(),
  budget_limit: z.number().exactOptional(),
  budget_nudges: z.number().exactOptional(),
  message_count: z.number().exactOptional(),
  pending_background_agent_count: z.number().exactOptional(),
  pending_workflow_count: z.number().exactOptional(),
});

/** Schemas of {@link EngineSystemMessage}, by subtype. */
export const engineSystemMessageSchemas: SchemasByKind<EngineSystemMessage, "subtype"> = {
  agents_killed: agentsKilledMessageSchema,
  api_error: apiErrorMessageSchema,
  away_summary: awaySummaryMessageSchema,
  file_snapshot: fileSnapshotMessageSchema,
  memory_saved: memorySavedMessageSchema,
  permission_retry: permissionRetryMessageSchema,
  scheduled_task_fire: scheduledTaskFireMessageSchema,
  stop_hook_summary: stopHookSummaryMessageSchema,
  thinking: thinkingMessageSchema,
  turn_duration: turnDurationMessageSchema,
};

/** Schema of {@link EngineSystemMessage}. */
export const engineSystemMessageSchema: z.ZodType<EngineSystemMessage> = kindsOf("subtype", engineSystemMessageSchemas);
