import type {
  ElicitationCompleteMessage,
  InformationalMessage,
  LocalCommandOutputMessage,
  MemoryRecallMessage,
  NotificationMessage,
  PermissionDeniedMessage,
  PromptSubmitOutcome,
} from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { decisionReasonTypeSchema } from "../permissions.ts";
import { loose } from "../pinned.ts";
import { system } from "./system-base.ts";

/** Schema of {@link PromptSubmitOutcome}. */
export const promptSubmitOutcomeSchema: z.ZodType<PromptSubmitOutcome> = loose({
  kind: open("blocked_by_hook", "stopped_by_hook", "no_verdict"),
  prompt_kept: z.boolean(),
  reason: z.string().exactOptional(),
  no_verdict_kind: z.string().exactOptional(),
});

/** Schema of {@link InformationalMessage}. */
export const informationalMessageSchema: z.ZodType<InformationalMessage> = system("informational", {
  content: z.string(),
  level: open("info", "notice", "suggestion", "warning"),
  tool_use_id: z.string().exactOptional(),
  prevent_continuation: z.boolean().exactOptional(),
  tag: z.string().exactOptional(),
  prompt_submit_outcome: promptSubmitOutcomeSchema.exactOptional(),
  isMeta: z.boolean().exactOptional(),
  timestamp: z.string().exactOptional(),
  model_restriction: z.unknown().exactOptional(),
  hook_no_verdict: z.unknown().exactOptional(),
  saved_files: z.array(z.unknown()).exactOptional(),
});

/** Schema of {@link NotificationMessage}. */
export const notificationMessageSchema: z.ZodType<NotificationMessage> = system("notification", {
  key: z.string(),
  text: z.string(),
  priority: open("low", "medium", "high", "immediate"),
  color: z.string().exactOptional(),
  timeout_ms: z.number().exactOptional(),
});

/** Schema of {@link LocalCommandOutputMessage}. */
export const localCommandOutputMessageSchema: z.ZodType<LocalCommandOutputMessage> = system("local_command_output", {
  content: z.string(),
});

/** Schema of {@link PermissionDeniedMessage}. */
export const permissionDeniedMessageSchema: z.ZodType<PermissionDeniedMessage> = system("permission_denied", {
  tool_name: z.string(),
  tool_use_id: z.string(),
  agent_id: z.string().exactOptional(),
  decision_reason_type: decisionReasonTypeSchema.exactOptional(),
  decision_reason: z.string().exactOptional(),
  decision_reason_code: z.string().exactOptional(),
  message: z.string(),
});

/** Schema of {@link ElicitationCompleteMessage}. */
export const elicitationCompleteMessageSchema: z.ZodType<ElicitationCompleteMessage> = system("elicitation_complete", {
  mcp_server_name: z.string(),
  elicitation_id: z.string(),
});

/** Schema of {@link MemoryRecallMessage}. */
export const memoryRecallMessageSchema: z.ZodType<MemoryRecallMessage> = system("memory_recall", {
  mode: open("select", "synthesize"),
  memories: z.array(
    z.looseObject({
      path: z.string(),
      scope: open("personal", "team", "organization"),
      content: z.string().exactOptional(),
    }),
  ),
});
