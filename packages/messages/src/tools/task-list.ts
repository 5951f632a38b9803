import type { OpenString } from "../open.ts";

/** State of an entry of the task list. */
export type TaskListStatus = OpenString<"pending" | "in_progress" | "completed">;

/** Makes an entry. */
export interface TaskCreateInput {
  readonly subject: string;
  readonly description: string;
  /** What is shown while it is worked on. */
  readonly activeForm?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The entry that was made. */
export interface TaskCreateOutput {
  readonly task: { readonly id: string; readonly subject: string; readonly description?: string };
}

/** Reads an entry. */
export interface TaskGetInput {
  readonly taskId: string;
}

/** The entry; null when there is none. */
export interface TaskGetOutput {
  readonly task: {
    readonly id: string;
    readonly subject: string;
    readonly description: string;
    readonly status: TaskListStatus;
    readonly blocks: string[];
    readonly blockedBy: string[];
  } | null;
}

/** Changes an entry; the status `deleted` removes it. */
export interface TaskUpdateInput {
  readonly taskId: string;
  readonly subject?: string;
  readonly description?: string;
  readonly activeForm?: string;
  readonly status?: TaskListStatus | "deleted";
  readonly addBlocks?: string[];
  readonly addBlockedBy?: string[];
  readonly owner?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What was changed. */
export interface TaskUpdateOutput {
  readonly success: boolean;
  readonly taskId: string;
  readonly updatedFields: string[];
  readonly error?: string;
  readonly statusChange?: { readonly from: string; readonly to: string };
}

/** All entries. */
export interface TaskListOutput {
  readonly tasks: {
    readonly id: string;
    readonly subject: string;
    readonly status: TaskListStatus;
    readonly owner?: string;
    readonly blockedBy: string[];
  }[];
}

/** Replaces the list, in sessions that have this tool instead of the four above. */
export interface TodoWriteInput {
  readonly todos: TodoItem[];
}

/** The list before and after. */
export interface TodoWriteOutput {
  readonly oldTodos: TodoItem[];
  readonly newTodos: TodoItem[];
}

/** An entry of the list. */
export interface TodoItem {
  readonly content: string;
  readonly status: TaskListStatus;
  /** What is shown while it is worked on. */
  readonly activeForm: string;
}
