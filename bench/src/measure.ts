import type { Cost, Effort, Samples } from "./row.ts";

/**
 * Runs the contenders in turn, round by round, so that what the machine does besides hits all of them alike. The first round warms up and
 * does not count.
 *
 * @param contenders Each runs once and gives its cost, usually measured with {@link startClock}.
 */
export async function alternate(
  { rounds }: Pick<Effort, "rounds">,
  contenders: Readonly<Record<string, () => Promise<Cost>>>,
): Promise<Samples[]> {
  const samples = Object.keys(contenders).map((name) => ({ name, costs: [] as Cost[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, costs } of samples) {
      const cost = await contenders[name]?.();
      if (cost !== undefined && round > 0) costs.push(cost);
    }
  }
  return samples;
}

/** Starts to measure; the function that it returns gives the time since then, and the user and system time of this process. */
export function startClock(): () => { readonly ms: number; readonly "ms CPU": number } {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - wall, "ms CPU": (user + system) / 1000 };
  };
}

/** The middle value, and the lowest and highest. */
export function spread(values: readonly number[]): {
  readonly median: number;
  readonly min: number;
  readonly max: number;
} {
  return { median: quantile(values, 0.5), min: quantile(values, 0), max: quantile(values, 1) };
}

/** The value below which a part of the values lies, interpolated between neighbours; `NaN` of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
