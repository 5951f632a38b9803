import type { OpenString } from "../open.ts";
import type { SystemBase } from "./system-base.ts";

/**
 * A hook that the CLI itself runs has begun. With `--include-hook-events`; SessionStart and Setup always. Callbacks of the host write
 * none of these. [verified on CLI 2.1.328]
 */
export interface HookStartedMessage extends SystemBase, HookRun {
  readonly subtype: "hook_started";
  /** Internal. */
  readonly origin?: string;
  /** Internal. */
  readonly label?: string;
  /** Internal. */
  readonly plugin_name?: string;
}

/** A hook runs for a second or more. The texts are all that it wrote so far. */
export interface HookProgressMessage extends SystemBase, HookRun {
  readonly subtype: "hook_progress";
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
  /** Internal. */
  readonly backgrounded?: true;
}

/** A hook ended. An asynchronous one when it really ended, perhaps after the result. */
export interface HookResponseMessage extends SystemBase, HookRun {
  readonly subtype: "hook_response";
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
  readonly exit_code?: number;
  /** Exit code 2 counts as an error. */
  readonly outcome: OpenString<"success" | "error" | "cancelled">;
}

/** Which run of which hook. */
export interface HookRun {
  readonly hook_id: string;
  /** Event and subject: `PreToolUse:Bash`, `SessionStart:startup`, `Stop`. */
  readonly hook_name: string;
  readonly hook_event: string;
}
