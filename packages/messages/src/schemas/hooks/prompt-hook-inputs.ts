import type {
  ElicitationHookInput,
  ElicitationResultHookInput,
  MessageDisplayHookInput,
  NotificationHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from "@reins/messages";
import * as z from "zod";
import { jsonObject, open } from "../open.ts";
import { loose } from "../pinned.ts";
import { hookInputBase } from "./hook-input-base.ts";

/** Schema of {@link UserPromptSubmitHookInput}. */
export const userPromptSubmitHookInputSchema: z.ZodType<UserPromptSubmitHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("UserPromptSubmit"),
  prompt: z.string(),
  source: open("user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event").exactOptional(),
  session_title: z.string().exactOptional(),
});

/** Schema of {@link UserPromptExpansionHookInput}. */
export const userPromptExpansionHookInputSchema: z.ZodType<UserPromptExpansionHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("UserPromptExpansion"),
  expansion_type: open("slash_command", "mcp_prompt"),
  command_name: z.string(),
  command_args: z.string(),
  command_source: z.string().exactOptional(),
  prompt: z.string(),
});

/** Schema of {@link MessageDisplayHookInput}. */
export const messageDisplayHookInputSchema: z.ZodType<MessageDisplayHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("MessageDisplay"),
  turn_id: z.string(),
  message_id: z.string(),
  index: z.number(),
  final: z.boolean(),
  delta: z.string(),
});

/** Schema of {@link NotificationHookInput}. */
export const notificationHookInputSchema: z.ZodType<NotificationHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("Notification"),
  message: z.string(),
  title: z.string().exactOptional(),
  notification_type: open(
    "permission_prompt",
    "elicitation_response",
    "elicitation_dialog",
    "idle_prompt",
    "auth_success",
  ),
});

/** Schema of {@link ElicitationHookInput}. */
export const elicitationHookInputSchema: z.ZodType<ElicitationHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("Elicitation"),
  mcp_server_name: z.string(),
  message: z.string(),
  mode: open("form", "url").exactOptional(),
  url: z.string().exactOptional(),
  elicitation_id: z.string().exactOptional(),
  requested_schema: jsonObject.exactOptional(),
});

/** Schema of {@link ElicitationResultHookInput}. */
export const elicitationResultHookInputSchema: z.ZodType<ElicitationResultHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("ElicitationResult"),
  mcp_server_name: z.string(),
  elicitation_id: z.string().exactOptional(),
  mode: open("form", "url").exactOptional(),
  action: open("accept", "decline", "cancel"),
  content: jsonObject.exactOptional(),
});
