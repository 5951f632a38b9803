/**
 * Waits for a promise, but no longer than that.
 *
 * @param givenUp Ends the waiting at once when it settles.
 * @returns Whether it was fulfilled in time. Rejects as the promise does, in time; what it rejects with later is nobody's.
 */
export async function withDeadline(
  promise: Promise<unknown>,
  timeoutMs: number,
  givenUp?: Promise<unknown>,
): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    // A longer time than timers can hold is for ever.
    if (timeoutMs <= maxTimerMs) timer = setTimeout(() => resolve(false), timeoutMs);
    void givenUp?.then(() => resolve(false));
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

const maxTimerMs = 2 ** 31 - 1;
