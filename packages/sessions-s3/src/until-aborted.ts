/** Waits for what a function begins, but only until the signal. What comes of it after that is nobody's. */
export async function untilAborted<T>(send: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const sent = send(signal);
  sent.catch(() => {});
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([sent, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
