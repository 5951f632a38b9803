import type {
  BackgroundTaskSummary,
  SessionCronSummary,
  StopFailureHookInput,
  StopHookInput,
  StopHookInputBase,
  SubagentStartHookInput,
  SubagentStopHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TaskHookInputBase,
  TeammateIdleHookInput,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "../agree.ts";
import { assistantErrorSchema } from "../assistant.ts";
import { loose, shape } from "../pinned.ts";
import { hookInputBase } from "./hook-input-base.ts";

/** Schema of {@link BackgroundTaskSummary}. */
export const backgroundTaskSummarySchema: z.ZodType<BackgroundTaskSummary> = loose({
  id: z.string(),
  type: z.string(),
  status: z.string(),
  description: z.string(),
  command: z.string().exactOptional(),
  agent_type: z.string().exactOptional(),
  server: z.string().exactOptional(),
  tool: z.string().exactOptional(),
  name: z.string().exactOptional(),
});

/** Schema of {@link SessionCronSummary}. */
export const sessionCronSummarySchema: z.ZodType<SessionCronSummary> = loose({
  id: z.string(),
  schedule: z.string(),
  recurring: z.boolean(),
  prompt: z.string(),
});

/** Fields of {@link StopHookInputBase}. */
const stopHookInputBase: Shape<StopHookInputBase> = shape({
  ...hookInputBase,
  stop_hook_active: z.boolean(),
  last_assistant_message: z.string().exactOptional(),
  background_tasks: z.array(backgroundTaskSummarySchema).exactOptional(),
  session_crons: z.array(sessionCronSummarySchema).exactOptional(),
});

/** Schema of {@link StopHookInput}. */
export const stopHookInputSchema: z.ZodType<StopHookInput> = loose({
  ...stopHookInputBase,
  hook_event_name: z.literal("Stop"),
});

/** Schema of {@link SubagentStopHookInput}. */
export const subagentStopHookInputSchema: z.ZodType<SubagentStopHookInput> = loose({
  ...stopHookInputBase,
  hook_event_name: z.literal("SubagentStop"),
  agent_id: z.string(),
  agent_type: z.string(),
  agent_transcript_path: z.string(),
});

/** Schema of {@link StopFailureHookInput}. */
export const stopFailureHookInputSchema: z.ZodType<StopFailureHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("StopFailure"),
  error: assistantErrorSchema,
  error_details: z.string().exactOptional(),
  last_assistant_message: z.string().exactOptional(),
});

/** Schema of {@link SubagentStartHookInput}. */
export const subagentStartHookInputSchema: z.ZodType<SubagentStartHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("SubagentStart"),
  agent_id: z.string(),
  agent_type: z.string(),
});

/** Schema of {@link TeammateIdleHookInput}. */
export const teammateIdleHookInputSchema: z.ZodType<TeammateIdleHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("TeammateIdle"),
  teammate_name: z.string(),
  team_name: z.string(),
});

/** Fields of {@link TaskHookInputBase}. */
const taskHookInputBase: Shape<TaskHookInputBase> = shape({
  ...hookInputBase,
  task_id: z.string(),
  task_subject: z.string(),
  task_description: z.string().exactOptional(),
  teammate_name: z.string().exactOptional(),
  team_name: z.string().exactOptional(),
});

/** Schema of {@link TaskCreatedHookInput}. */
export const taskCreatedHookInputSchema: z.ZodType<TaskCreatedHookInput> = loose({
  ...taskHookInputBase,
  hook_event_name: z.literal("TaskCreated"),
});

/** Schema of {@link TaskCompletedHookInput}. */
export const taskCompletedHookInputSchema: z.ZodType<TaskCompletedHookInput> = loose({
  ...taskHookInputBase,
  hook_event_name: z.literal("TaskCompleted"),
});
