import { FrameEncodeError, type Transport, type TransportExit } from "@reins/streamjson";
import { SessionClosedError } from "./errors.ts";
import type { RunState } from "./run-state.ts";
import { startTimer } from "./timer.ts";

/** A process closes its output a moment before its exit is seen; after that long it will not exit by itself. In milliseconds. */
export const exitGraceMs = 2_000;

/** How the other side ended. One that closed its output but lives on cannot be understood any more, and is closed. Never rejects. */
export async function exitAfterOutput(transport: Transport): Promise<TransportExit> {
  const { closed } = transport;
  if (!(await settledWithin(closed, exitGraceMs))) await quietly(() => transport.close());
  // It must not reject; one that does has told at least why.
  return closed.catch((error: unknown) => ({
    code: null,
    signal: null,
    stderrTail: "",
    error: error instanceof Error ? error : new SessionClosedError("the transport failed", error),
  }));
}

/**
 * Waits for the end of the session, but no longer than the grace once nothing is going on.
 *
 * @param ended Settles with the end of the session.
 */
export async function exitOrGrace(ended: Promise<void>, run: RunState, graceMs: number): Promise<void> {
  let stopTimer = (): void => {};
  let stopWatching = (): void => {};
  const grace = new Promise<void>((resolve) => {
    const check = (): void => {
      stopTimer();
      stopTimer = run.isQuiet ? startTimer(graceMs, resolve) : () => {};
    };
    stopWatching = run.watch(check);
    check();
  });
  await Promise.race([ended, grace]);
  stopTimer();
  stopWatching();
}

/**
 * Turns a failed write into the reason why the session ended, if that becomes known soon.
 *
 * @param ended Settles with the end of the session.
 * @param reason Gives why it ended, when it has.
 */
export async function explainFailedWrite(
  error: unknown,
  ended: Promise<void>,
  run: RunState,
  reason: () => Error | undefined,
): Promise<unknown> {
  if (error instanceof FrameEncodeError) return error;
  // While the reader waits for room, the end may be behind what it has not read.
  while (!(await settledWithin(ended, exitGraceMs)) && run.isHeldBack);
  return reason() ?? error;
}

/** Does what a transport promises not to fail at, or whose failure the exit explains. */
export async function quietly(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch {
    // There is nothing else to try, and nobody to tell.
  }
}

/** Whether the promise settles within the time. Leaves no timer. */
export async function settledWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeMs);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  const result = await Promise.race([settled, late]);
  clearTimeout(timer);
  return result;
}
