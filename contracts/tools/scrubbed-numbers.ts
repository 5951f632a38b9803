/**
 * Puts fixed values in place of times, durations, process ids and estimates of tokens. All other numbers (tokens that the model counted,
 * costs, counts) are wire facts.
 */
export function scrubNumber(key: string, value: number): number {
  if (estimates.has(key)) return value === 0 ? 0 : 1000;
  if (shares.has(key)) return value === 0 ? 0 : 1;
  if (/^pid$|Pid$|_pid$/.test(key)) return 1000;
  // Also a 0: the same step may take no measurable time once, and a millisecond the next time.
  if (isDuration(key)) return 1;
  // Points in time of this century, in milliseconds and in seconds.
  if (value > 1_500_000_000_000 && value < 4_000_000_000_000) return fixedTimeMs;
  if (value > 1_500_000_000 && value < 4_000_000_000) return fixedTimeMs / 1000;
  return value;
}

/** What the CLI makes of the length of texts in which paths and the machine occur, in CLI 2.1.328. */
const estimates: ReadonlySet<string> = new Set([
  "attachmentTokens",
  "cumulative_dropped_tokens",
  "post_tokens",
  "tokens",
  "totalTokens",
  "total_tokens",
]);

/** Parts of the context window, made of those. */
const shares: ReadonlySet<string> = new Set(["percentage", "squareFullness"]);

/** 2026-01-01T00:00:00Z. */
const fixedTimeMs = 1_767_225_600_000;

function isDuration(key: string): boolean {
  return /(_ms|Ms|_seconds|Seconds)$|[dD]uration/.test(key) && !/timeout/i.test(key);
}
