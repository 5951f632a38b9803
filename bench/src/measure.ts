/** What one round of a contender cost. */
export interface Cost {
  readonly wallMs: number;
  /** User and system time of this process. */
  readonly cpuMs: number;
}

/** The rounds of one contender. */
export interface Samples {
  readonly name: string;
  readonly costs: readonly Cost[];
}

/**
 * Runs the contenders in turn, round by round, so that what the machine does besides hits all of them alike. The first round warms up and
 * does not count.
 *
 * @param contenders Each runs once and gives its cost, measured with {@link startClock}.
 */
export async function alternate(
  rounds: number,
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

/** Starts to measure; the function that it returns gives the cost since then. */
export function startClock(): () => Cost {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs: performance.now() - wall, cpuMs: (user + system) / 1000 };
  };
}

/** The middle value, and the lowest and highest. */
export function spread(values: readonly number[]): {
  readonly median: number;
  readonly min: number;
  readonly max: number;
} {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}
