import type { SystemMessage } from "@reins/messages";
import type * as z from "zod";
import { kindsOf } from "../kinds.ts";
import type { SchemasByKind } from "../tables.ts";
import { apiRetryMessageSchema } from "./api-retry.ts";
import { compactBoundaryMessageSchema } from "./compaction.ts";
import { hookProgressMessageSchema, hookResponseMessageSchema, hookStartedMessageSchema } from "./hook-messages.ts";
import { systemInitMessageSchema } from "./init.ts";
import {
  modelFallbackMessageSchema,
  modelRefusalFallbackMessageSchema,
  modelRefusalNoFallbackMessageSchema,
  thinkingTokensMessageSchema,
} from "./model-changes.ts";
import {
  elicitationCompleteMessageSchema,
  informationalMessageSchema,
  localCommandOutputMessageSchema,
  memoryRecallMessageSchema,
  notificationMessageSchema,
  permissionDeniedMessageSchema,
} from "./notices.ts";
import {
  commandsChangedMessageSchema,
  filesPersistedMessageSchema,
  mirrorErrorMessageSchema,
  pluginInstallMessageSchema,
  sessionTitleChangedMessageSchema,
  sessionWritesLostMessageSchema,
  workerShuttingDownMessageSchema,
} from "./session-messages.ts";
import {
  controlRequestProgressMessageSchema,
  sessionStateChangedMessageSchema,
  statusMessageSchema,
} from "./status.ts";
import {
  backgroundTasksChangedMessageSchema,
  taskNotificationMessageSchema,
  taskProgressMessageSchema,
  taskStartedMessageSchema,
  taskUpdatedMessageSchema,
} from "./tasks.ts";

/** Schemas of {@link SystemMessage}, by subtype. */
export const systemMessageSchemas: SchemasByKind<SystemMessage, "subtype"> = {
  init: systemInitMessageSchema,
  status: statusMessageSchema,
  session_state_changed: sessionStateChangedMessageSchema,
  control_request_progress: controlRequestProgressMessageSchema,
  api_retry: apiRetryMessageSchema,
  compact_boundary: compactBoundaryMessageSchema,
  task_started: taskStartedMessageSchema,
  task_progress: taskProgressMessageSchema,
  task_updated: taskUpdatedMessageSchema,
  task_notification: taskNotificationMessageSchema,
  background_tasks_changed: backgroundTasksChangedMessageSchema,
  hook_started: hookStartedMessageSchema,
  hook_progress: hookProgressMessageSchema,
  hook_response: hookResponseMessageSchema,
  model_refusal_fallback: modelRefusalFallbackMessageSchema,
  model_refusal_no_fallback: modelRefusalNoFallbackMessageSchema,
  model_fallback: modelFallbackMessageSchema,
  thinking_tokens: thinkingTokensMessageSchema,
  informational: informationalMessageSchema,
  notification: notificationMessageSchema,
  local_command_output: localCommandOutputMessageSchema,
  permission_denied: permissionDeniedMessageSchema,
  elicitation_complete: elicitationCompleteMessageSchema,
  memory_recall: memoryRecallMessageSchema,
  commands_changed: commandsChangedMessageSchema,
  plugin_install: pluginInstallMessageSchema,
  session_title_changed: sessionTitleChangedMessageSchema,
  session_writes_lost: sessionWritesLostMessageSchema,
  files_persisted: filesPersistedMessageSchema,
  worker_shutting_down: workerShuttingDownMessageSchema,
  mirror_error: mirrorErrorMessageSchema,
};

/** Schema of {@link SystemMessage}. */
export const systemMessageSchema: z.ZodType<SystemMessage> = kindsOf("subtype", systemMessageSchemas);
