import type { Options } from "@reins/sdk";
import type { PromptFn } from "./prompt.ts";
import type { ResponseChunk, RuntimeEvent, ToolProgress } from "./runtime-event.ts";
import type { PreToolHook } from "./shell-hooks.ts";
import type { StopHook } from "./stop-hooks.ts";

/**
 * Functions that are told what happens, and one that answers questions.
 *
 * Those that are told are called at once, in the order of the frames, and nobody waits for what they return. What they throw goes to
 * `onCallbackError`.
 */
export interface SessionCallbacks {
  /** Each piece of the answer. */
  onResponseChunk?: ((chunk: ResponseChunk) => unknown) | undefined;
  /** Each stage of a tool call. */
  onToolProgress?: ((progress: ToolProgress) => unknown) | undefined;
  /** Everything: chunks and stages, too. */
  onRuntimeEvent?: ((event: RuntimeEvent) => unknown) | undefined;
  /** Answers what a person has to decide. Without one, and when it throws, nothing is approved and questions have no answer. */
  prompt?: PromptFn | undefined;
}

/**
 * Options of an agent: those of a session of `@reins/sdk`, and what this package adds.
 *
 * `canUseTool`, `onElicitation` and `onUserDialog` are served by `prompt`. `hooks` are those of the CLI; they run beside the ones of
 * this package, not before or behind them, and where both change an input it is not said who wins. `includePartialMessages` is on by
 * default, unless `transport` is set. So that its id is known from the start, a new session is given one.
 */
export interface AgentOptions
  extends Omit<
      Options,
      "canUseTool" | "onElicitation" | "onUserDialog" | "permissionPromptToolName" | "abortController"
    >,
    SessionCallbacks {
  /** Commands that look at tool calls before they run, in this order, before the handlers of pre_tool_use. */
  readonly preToolHooks?: readonly PreToolHook[] | undefined;
  /** Functions and commands that are asked when the model is about to stop. */
  readonly stopHooks?: readonly StopHook[] | undefined;
  /** How many times in one turn stop hooks can have the model go on. The CLI itself allows 8 times in a row. Default 3. */
  readonly maxStopCycles?: number | undefined;
  /** How many events may wait for a reader of `events()`; beyond, the reader gets an {@link EventsLostError}. Default 10,000. */
  readonly maxQueuedEvents?: number | undefined;
}
