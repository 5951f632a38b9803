/** How long each step of the end of a process may take. */
export interface Graces {
  /** From the end of its input to `SIGTERM`, in milliseconds. */
  readonly endGraceMs: number;
  /** From `SIGTERM` to `SIGKILL`, in milliseconds. */
  readonly killGraceMs: number;
}

/** What the end of a process is made of. */
export interface Ending {
  readonly endInput: () => void;
  readonly terminate: () => void;
  readonly kill: () => void;
}

/**
 * Ends a process: end of its input, a grace, `SIGTERM`, a grace, `SIGKILL`. Settles when it has exited, and not before.
 *
 * On Windows there is no `SIGTERM` that one could catch, so both graces pass before it is killed. As the official SDK does.
 */
export async function endProcess(
  { endInput, terminate, kill }: Ending,
  exited: Promise<unknown>,
  { endGraceMs, killGraceMs }: Graces,
  platform: string,
): Promise<void> {
  endInput();
  if (await settlesWithin(exited, endGraceMs)) return;
  if (platform !== "win32") terminate();
  if (await settlesWithin(exited, killGraceMs)) return;
  kill();
  await exited;
}

/** Whether a promise settles in time. Leaves no timer, and does not keep the host alive. */
export function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Node.js takes a longer time for 1 ms; 2^31 - 1 ms are 24 days, which is for ever.
    const timer = setTimeout(() => resolve(false), Math.min(timeoutMs, 2 ** 31 - 1));
    timer.unref();
    const settle = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
}
