/** Longest time that a timer can count, in milliseconds (24.8 days). It would strike a longer one at once. */
const longestMs = 2 ** 31 - 1;

/** Calls back once after a time, and never if that is longer than a timer can count, `Infinity` included. Returns what stops it. */
export function startTimer(timeMs: number, callback: () => void): () => void {
  if (timeMs > longestMs) return () => {};
  const timer = setTimeout(callback, timeMs);
  return () => clearTimeout(timer);
}
