import type {
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListOutput,
  TaskListStatus,
  TaskUpdateInput,
  TaskUpdateOutput,
  TodoItem,
  TodoWriteInput,
  TodoWriteOutput,
} from "@reins/messages";
import * as z from "zod";
import { jsonObject, open } from "../open.ts";
import { loose, pinned } from "../pinned.ts";

/** Schema of {@link TaskListStatus}. */
export const taskListStatusSchema: z.ZodType<TaskListStatus> = pinned(open("pending", "in_progress", "completed"));

/** Schema of {@link TaskCreateInput}. */
export const taskCreateInputSchema: z.ZodType<TaskCreateInput> = loose({
  subject: z.string(),
  description: z.string(),
  activeForm: z.string().exactOptional(),
  metadata: jsonObject.exactOptional(),
});

/** Schema of {@link TaskCreateOutput}. */
export const taskCreateOutputSchema: z.ZodType<TaskCreateOutput> = loose({
  task: z.looseObject({ id: z.string(), subject: z.string(), description: z.string().exactOptional() }),
});

/** Schema of {@link TaskGetInput}. */
export const taskGetInputSchema: z.ZodType<TaskGetInput> = loose({ taskId: z.string() });

/** Schema of {@link TaskGetOutput}. */
export const taskGetOutputSchema: z.ZodType<TaskGetOutput> = loose({
  task: z
    .looseObject({
      id: z.string(),
      subject: z.string(),
      description: z.string(),
      status: taskListStatusSchema,
      blocks: z.array(z.string()),
      blockedBy: z.array(z.string()),
    })
    .nullable(),
});

/** Schema of {@link TaskUpdateInput}. */
export const taskUpdateInputSchema: z.ZodType<TaskUpdateInput> = loose({
  taskId: z.string(),
  subject: z.string().exactOptional(),
  description: z.string().exactOptional(),
  activeForm: z.string().exactOptional(),
  status: z.union([taskListStatusSchema, z.literal("deleted")]).exactOptional(),
  addBlocks: z.array(z.string()).exactOptional(),
  addBlockedBy: z.array(z.string()).exactOptional(),
  owner: z.string().exactOptional(),
  metadata: jsonObject.exactOptional(),
});

/** Schema of {@link TaskUpdateOutput}. */
export const taskUpdateOutputSchema: z.ZodType<TaskUpdateOutput> = loose({
  success: z.boolean(),
  taskId: z.string(),
  updatedFields: z.array(z.string()),
  error: z.string().exactOptional(),
  statusChange: z.looseObject({ from: z.string(), to: z.string() }).exactOptional(),
});

/** Schema of {@link TaskListOutput}. */
export const taskListOutputSchema: z.ZodType<TaskListOutput> = loose({
  tasks: z.array(
    z.looseObject({
      id: z.string(),
      subject: z.string(),
      status: taskListStatusSchema,
      owner: z.string().exactOptional(),
      blockedBy: z.array(z.string()),
    }),
  ),
});

/** Schema of {@link TodoItem}. */
export const todoItemSchema: z.ZodType<TodoItem> = loose({
  content: z.string(),
  status: taskListStatusSchema,
  activeForm: z.string(),
});

/** Schema of {@link TodoWriteInput}. */
export const todoWriteInputSchema: z.ZodType<TodoWriteInput> = loose({ todos: z.array(todoItemSchema) });

/** Schema of {@link TodoWriteOutput}. */
export const todoWriteOutputSchema: z.ZodType<TodoWriteOutput> = loose({
  oldTodos: z.array(todoItemSchema),
  newTodos: z.array(todoItemSchema),
});
