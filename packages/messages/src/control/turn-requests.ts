import type { Acknowledged } from "./acknowledged.ts";

/** Requests that act on turns and tasks, by subtype. */
export interface TurnRequests {
  /** Ends the running turn with an error result. The session goes on. */
  readonly interrupt: { readonly request: InterruptRequest; readonly response: InterruptResponse };
  /** Takes back a prompt that waits. */
  readonly cancel_async_message: {
    readonly request: { readonly subtype: "cancel_async_message"; readonly message_uuid: string };
    readonly response: { readonly cancelled: boolean; readonly message_uuid?: string };
  };
  /** The CLI exits. */
  readonly end_session: {
    readonly request: { readonly subtype: "end_session"; readonly reason?: string | undefined };
    readonly response: Acknowledged;
  };
  /** Stops a task in the background. Succeeds for an unknown id too. */
  readonly stop_task: {
    readonly request: { readonly subtype: "stop_task"; readonly task_id: string };
    readonly response: Acknowledged;
  };
  /** Moves a running tool, or all of them, to the background. False until the task was announced by a message. */
  readonly background_tasks: {
    readonly request: { readonly subtype: "background_tasks"; readonly tool_use_id?: string | undefined };
    readonly response: { readonly backgrounded?: boolean };
  };
  /** The last 8 KiB that a task wrote. */
  readonly get_task_output: {
    readonly request: { readonly subtype: "get_task_output"; readonly task_id: string };
    readonly response: { readonly output: string; readonly total_bytes: number; readonly truncated: boolean };
  };
  /** Asks the model beside the turn. Can be cancelled. */
  readonly side_question: {
    readonly request: {
      readonly subtype: "side_question";
      readonly question: string;
      readonly history?: unknown;
    };
    readonly response: { readonly response: string | null; readonly synthetic: boolean };
  };
  /** Tells the CLI that a file was read, so that it may be edited. `mtime` in milliseconds. */
  readonly seed_read_state: {
    readonly request: { readonly subtype: "seed_read_state"; readonly path: string; readonly mtime: number };
    readonly response: Acknowledged;
  };
  /** Sets files back to where they were before a prompt. */
  readonly rewind_files: { readonly request: RewindFilesRequest; readonly response: RewindFilesResponse };
}

/** Interrupts the turn. */
export interface InterruptRequest {
  readonly subtype: "interrupt";
  /** Also takes back the prompts that wait. */
  readonly cancel_queued?: boolean | undefined;
}

/** What became of the prompts that wait, by `uuid`. Older CLIs say nothing. */
export interface InterruptResponse {
  readonly still_queued: string[];
  /** With `cancel_queued`. */
  readonly cancelled?: string[];
}

/** Sets files back. Needs CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true. */
export interface RewindFilesRequest {
  readonly subtype: "rewind_files";
  /** `uuid` of the prompt. */
  readonly user_message_id: string;
  /** True only tells what would happen. Default false. */
  readonly dry_run?: boolean | undefined;
}

/** What was, or would be, set back. A real run that cannot is refused instead. */
export interface RewindFilesResponse {
  readonly canRewind: boolean;
  readonly error?: string;
  /** Paths; of a dry run. */
  readonly filesChanged?: string[];
  readonly insertions?: number;
  readonly deletions?: number;
  /** Of a real run. */
  readonly skippedLinks?: number;
}
