import type { HookEvent } from "./hook-event.ts";
import type { HookSpecificOutput } from "./hook-specific-output.ts";

/**
 * What a hook answers. `{}` is no opinion.
 *
 * The CLI takes an answer that it does not understand for no answer at all, and goes on: that is why these types are closed.
 * [verified on CLI 2.1.328]
 */
export type HookOutput<Event extends HookEvent = HookEvent> =
  | SyncHookOutput<HookSpecificOutput<Event>>
  | AsyncHookOutput;

/** An answer that counts. */
export interface SyncHookOutput<Specific extends HookSpecificOutput = HookSpecificOutput> {
  /** False ends the turn after the current step, for the events that can. It does not keep a tool from running: deny it too. */
  readonly continue?: boolean | undefined;
  /** Why; appears in no message but for UserPromptSubmit. */
  readonly stopReason?: string | undefined;
  /** No effect for callbacks. */
  readonly suppressOutput?: boolean | undefined;
  /** `block` refuses what the event is about, where it can; `approve` is the old form of allow. */
  readonly decision?: "approve" | "block" | undefined;
  /** Why it is blocked. */
  readonly reason?: string | undefined;
  /** For people: becomes an informational message. On PreCompact the model that writes the summary reads it. */
  readonly systemMessage?: string | undefined;
  /** No effect for callbacks. */
  readonly terminalSequence?: string | undefined;
  /** What only this event knows. Its `hookEventName` has to be the event's: on PreToolUse another one refuses the tool. */
  readonly hookSpecificOutput?: Specific | undefined;
}

/** The action goes on at once; nothing else in the answer counts, and there is no way to say something later. */
export interface AsyncHookOutput {
  readonly async: true;
  /** Milliseconds. */
  readonly asyncTimeout?: number | undefined;
}
