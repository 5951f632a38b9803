import type {
  ActiveGoalMessage,
  AutocompactStateMessage,
  CommandLifecycleMessage,
  ConversationResetMessage,
  PromptSuggestionMessage,
  SubagentRetry,
  ToolProgressMessage,
  ToolUseSummaryMessage,
} from "@reins/messages";
import * as z from "zod";
import { message } from "./envelope.ts";
import { open } from "./open.ts";
import { loose } from "./pinned.ts";

/** Schema of {@link SubagentRetry}. */
export const subagentRetrySchema: z.ZodType<SubagentRetry> = loose({
  agent_id: z.string(),
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number(),
  error_status: z.number().nullable(),
  error_category: z.string(),
});

/** Schema of {@link ToolProgressMessage}. */
export const toolProgressMessageSchema: z.ZodType<ToolProgressMessage> = message("tool_progress", {
  tool_use_id: z.string(),
  tool_name: z.string(),
  parent_tool_use_id: z.string().nullable(),
  elapsed_time_seconds: z.number(),
  heartbeat: z.boolean().exactOptional(),
  task_id: z.string().exactOptional(),
  subagent_type: z.string().exactOptional(),
  subagent_retry: subagentRetrySchema.exactOptional(),
});

/** Schema of {@link ToolUseSummaryMessage}. */
export const toolUseSummaryMessageSchema: z.ZodType<ToolUseSummaryMessage> = message("tool_use_summary", {
  summary: z.string(),
  preceding_tool_use_ids: z.array(z.string()),
  timestamp: z.string().exactOptional(),
});

/** Schema of {@link CommandLifecycleMessage}. */
export const commandLifecycleMessageSchema: z.ZodType<CommandLifecycleMessage> = message("command_lifecycle", {
  command_uuid: z.string(),
  state: open("queued", "started", "completed", "cancelled", "discarded", "refused"),
  wakeup_source: open("loop_wakeup", "schedule_wakeup").exactOptional(),
  scheduled_for: z.number().exactOptional(),
  ran_ahead: z.literal(true).exactOptional(),
});

/** Schema of {@link ConversationResetMessage}. */
export const conversationResetMessageSchema: z.ZodType<ConversationResetMessage> = message("conversation_reset", {
  new_conversation_id: z.string(),
  trigger: open("clear", "plan_mode_exit", "fresh_session", "onboarding").exactOptional(),
  user_message_uuid: z.string().exactOptional(),
  timestamp: z.string().exactOptional(),
});

/** Schema of {@link PromptSuggestionMessage}. */
export const promptSuggestionMessageSchema: z.ZodType<PromptSuggestionMessage> = message("prompt_suggestion", {
  suggestion: z.string(),
});

/** Schema of {@link ActiveGoalMessage}. */
export const activeGoalMessageSchema: z.ZodType<ActiveGoalMessage> = message("active_goal", {
  value: z
    .looseObject({
      condition: z.string(),
      iterations: z.number(),
      set_at: z.number(),
      tokens_at_start: z.number(),
      last_reason: z.string().exactOptional(),
    })
    .nullable(),
});

/** Schema of {@link AutocompactStateMessage}. */
export const autocompactStateMessageSchema: z.ZodType<AutocompactStateMessage> = message("autocompact_state", {
  value: z.looseObject({
    enabled: z.boolean(),
    effective_window: z.number(),
    threshold: z.number(),
    enforced: z.boolean(),
    source: z.string(),
  }),
});
