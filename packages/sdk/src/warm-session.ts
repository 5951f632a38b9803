import type { Message } from "@reins/messages";
import { OptionError } from "@reins/process";
import type { Options } from "./options.ts";
import { openSession, type Session } from "./session.ts";
import { type InitializeTimeoutError, StartupClock } from "./startup-clock.ts";

/** A session that was started ahead of its first prompt. */
export interface WarmSession extends Session {
  readonly options: Options;
  /** Settles when the CLI has taken what it was told. Rejects with what is wrong with the start, when the CLI is gone. */
  readonly ready: Promise<void>;
  /** Sees each message from now on, in place of the one before. */
  observe(listener: (message: Message) => void): void;
}

/**
 * Starts a session, and watches its start.
 *
 * @param initializeTimeoutMs Milliseconds, all of which count. Default: that of the options, else 60,000 in which the time of hooks
 * does not count.
 * @throws {@link OptionError} for an option that cannot reach the CLI.
 */
export function startWarmSession(
  options: Options,
  initializeTimeoutMs: number | undefined = options.initializeTimeoutMs,
): WarmSession {
  if (initializeTimeoutMs !== undefined && !(initializeTimeoutMs > 0)) {
    const problem = `must be a number of milliseconds above 0, not ${initializeTimeoutMs}.`;
    throw new OptionError("initializeTimeoutMs", problem);
  }
  const limits =
    initializeTimeoutMs === undefined
      ? { timeoutMs: 60_000, hooksMs: 600_000 }
      : { timeoutMs: initializeTimeoutMs, hooksMs: 0 };
  let listener: ((message: Message) => void) | undefined;
  let session: Session | undefined;
  const clock = new StartupClock(limits, (error: InitializeTimeoutError) => void session?.client.close(error));
  try {
    session = openSession(options, (message) => listener?.(message), clock);
  } catch (error) {
    clock.stop();
    throw error;
  }
  const ready = untilReady(session, clock);
  // Whoever waits is told.
  for (const promise of [ready, session.condition]) promise?.catch(() => {});
  return {
    ...session,
    options,
    ready,
    observe(next) {
      listener = next;
    },
  };
}

async function untilReady({ client, initialization, condition, done }: Session, clock: StartupClock): Promise<void> {
  try {
    await initialization;
    await condition;
  } catch (error) {
    clock.stop();
    // Waited for, as the caller has nothing to close: what is told to have failed must not go on to run and to write.
    await client.close(error);
    await done;
    throw error;
  }
  clock.stop();
}
