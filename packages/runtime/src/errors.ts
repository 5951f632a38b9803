import { ReinsError } from "@reins/streamjson";
import type { TurnResult } from "./turn-result.ts";

/** A message was not taken, and the model has not seen it. */
export class TurnRefusedError extends ReinsError {
  readonly code = "REINS_TURN_REFUSED" as const;
  /**
   * What refused it: `turn_start` or another hook, `signal` when its signal aborted first, `session` when the session is over or
   * could not be started (see `cause`).
   */
  readonly by: string;

  constructor(by: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.by = by;
  }

  override get name(): string {
    return "TurnRefusedError";
  }
}

/** A turn did not come to its end. What it had brought until then is in `turn`. */
export class TurnFailedError extends ReinsError {
  readonly code = "REINS_TURN_FAILED" as const;
  /** As in the event `turn.failed`: `api_error`, `max_turns`, `aborted_streaming`, `session_ended`, ... */
  readonly reason: string;
  /** Whether somebody interrupted it. */
  readonly interrupted: boolean;
  readonly turn: TurnResult;

  constructor(reason: string, text: string, interrupted: boolean, turn: TurnResult, cause?: unknown) {
    const told = text === "" ? "" : `: ${text}`;
    super(
      interrupted ? `The turn was interrupted (${reason})${told}` : `The turn failed with ${reason}${told}`,
      cause === undefined ? undefined : { cause },
    );
    this.reason = reason;
    this.interrupted = interrupted;
    this.turn = turn;
  }

  override get name(): string {
    return "TurnFailedError";
  }
}

/** A handler was registered for an event that never comes. The message lists those that do. */
export class UnknownHookEventError extends ReinsError {
  readonly code = "REINS_UNKNOWN_HOOK_EVENT" as const;
  readonly event: string;
  readonly known: readonly string[];

  constructor(event: string, known: readonly string[]) {
    super(`There is no hook event ${event}, so its handler would never run. Known are ${known.join(", ")}.`);
    this.event = event;
    this.known = known;
  }

  override get name(): string {
    return "UnknownHookEventError";
  }
}

/** A hook took longer than it may. */
export class HookTimeoutError extends ReinsError {
  readonly code = "REINS_HOOK_TIMEOUT" as const;
  readonly event: string;
  readonly timeoutMs: number;

  constructor(event: string, timeoutMs: number) {
    super(`A handler of ${event} did not end within ${timeoutMs} ms. Give it more with timeoutMs.`);
    this.event = event;
    this.timeoutMs = timeoutMs;
  }

  override get name(): string {
    return "HookTimeoutError";
  }
}

/** Settings of hooks that cannot work, such as a matcher that is no regular expression. */
export class HookSettingError extends ReinsError {
  readonly code = "REINS_HOOK_SETTING" as const;

  constructor(what: string, problem: string, cause?: unknown) {
    super(`${what} ${problem}`, cause === undefined ? undefined : { cause });
  }

  override get name(): string {
    return "HookSettingError";
  }
}

/** A reader of events did not keep up, so that some are lost to it. The session goes on. */
export class EventsLostError extends ReinsError {
  readonly code = "REINS_EVENTS_LOST" as const;
  readonly limit: number;

  constructor(limit: number) {
    super(`More than ${limit} events waited for their reader. Read faster, or raise maxQueuedEvents.`);
    this.limit = limit;
  }

  override get name(): string {
    return "EventsLostError";
  }
}
