import type {
  BackgroundTask,
  BackgroundTasksChangedMessage,
  TaskNotificationMessage,
  TaskPatch,
  TaskProgressMessage,
  TaskStartedMessage,
  TaskStatus,
  TaskType,
  TaskUpdatedMessage,
  TaskUsage,
} from "@reins/messages";
import * as z from "zod";
import { mcpResourceLinkSchema } from "../mcp.ts";
import { open } from "../open.ts";
import { loose, pinned } from "../pinned.ts";
import { system } from "./system-base.ts";

/** Schema of {@link TaskType}. */
export const taskTypeSchema: z.ZodType<TaskType> = pinned(
  open("local_agent", "local_bash", "local_workflow", "mcp_task"),
);

/** Schema of {@link TaskStartedMessage}. */
export const taskStartedMessageSchema: z.ZodType<TaskStartedMessage> = system("task_started", {
  task_id: z.string(),
  run_id: z.string().exactOptional(),
  tool_use_id: z.string().exactOptional(),
  description: z.string(),
  subagent_type: z.string().exactOptional(),
  is_backgrounded: z.boolean().exactOptional(),
  awaited: z.boolean().exactOptional(),
  spawn_depth: z.number().exactOptional(),
  parent_task_id: z.string().exactOptional(),
  task_type: taskTypeSchema.exactOptional(),
  workflow_name: z.string().exactOptional(),
  prompt: z.string().exactOptional(),
  skip_transcript: z.boolean().exactOptional(),
  ambient: z.boolean().exactOptional(),
});

/** Schema of {@link TaskUsage}. */
export const taskUsageSchema: z.ZodType<TaskUsage> = loose({
  total_tokens: z.number(),
  tool_uses: z.number(),
  duration_ms: z.number(),
});

/** Schema of {@link TaskProgressMessage}. */
export const taskProgressMessageSchema: z.ZodType<TaskProgressMessage> = system("task_progress", {
  task_id: z.string(),
  run_id: z.string().exactOptional(),
  tool_use_id: z.string().exactOptional(),
  description: z.string(),
  subagent_type: z.string().exactOptional(),
  usage: taskUsageSchema,
  last_tool_name: z.string().exactOptional(),
  summary: z.string().exactOptional(),
});

/** Schema of {@link TaskStatus}. */
export const taskStatusSchema: z.ZodType<TaskStatus> = pinned(
  open("pending", "running", "paused", "completed", "failed", "killed", "stopped"),
);

/** Schema of {@link TaskPatch}. */
export const taskPatchSchema: z.ZodType<TaskPatch> = loose({
  status: taskStatusSchema.exactOptional(),
  description: z.string().exactOptional(),
  end_time: z.number().exactOptional(),
  total_paused_ms: z.number().exactOptional(),
  error: z.string().exactOptional(),
  is_backgrounded: z.boolean().exactOptional(),
});

/** Schema of {@link TaskUpdatedMessage}. */
export const taskUpdatedMessageSchema: z.ZodType<TaskUpdatedMessage> = system("task_updated", {
  task_id: z.string(),
  run_id: z.string().exactOptional(),
  patch: taskPatchSchema,
});

/** Schema of {@link TaskNotificationMessage}. */
export const taskNotificationMessageSchema: z.ZodType<TaskNotificationMessage> = system("task_notification", {
  task_id: z.string(),
  run_id: z.string().exactOptional(),
  tool_use_id: z.string().exactOptional(),
  status: open("completed", "failed", "stopped"),
  reason: open("worker_restart").exactOptional(),
  output_file: z.string(),
  summary: z.string(),
  usage: taskUsageSchema.exactOptional(),
  resource_links: z.array(mcpResourceLinkSchema).exactOptional(),
  skip_transcript: z.boolean().exactOptional(),
  ambient: z.boolean().exactOptional(),
  summary_is_report: z.boolean().exactOptional(),
  handback: z.string().exactOptional(),
  handback_report: z.unknown().exactOptional(),
});

/** Schema of {@link BackgroundTask}. */
export const backgroundTaskSchema: z.ZodType<BackgroundTask> = loose({
  task_id: z.string(),
  run_id: z.string().exactOptional(),
  task_type: taskTypeSchema,
  subagent_type: z.string().exactOptional(),
  description: z.string(),
  parent_task_id: z.string().exactOptional(),
  ambient: z.boolean().exactOptional(),
});

/** Schema of {@link BackgroundTasksChangedMessage}. */
export const backgroundTasksChangedMessageSchema: z.ZodType<BackgroundTasksChangedMessage> = system(
  "background_tasks_changed",
  { tasks: z.array(backgroundTaskSchema) },
);
