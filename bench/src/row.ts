/**
 * What one round of a contender cost, by the unit in which it is counted: `{ "ms": 12.1, "ms CPU": 9.8 }`. The unit is all the name
 * that a value needs.
 */
export type Cost = Readonly<Record<string, number>>;

/** The rounds of one contender. */
export interface Samples {
  /** Ours are named after their package, as `@reins/sdk`. */
  readonly name: string;
  readonly costs: readonly Cost[];
}

/** How much work a run may take. */
export interface Effort {
  /** How often each contender is measured. */
  readonly rounds: number;
  /** Whether large loads are cut, so that all rows together stay under two minutes. */
  readonly quick: boolean;
}

/** One comparison. */
export interface Row {
  /** For `--row`. */
  readonly name: string;
  readonly title: string;
  measure(effort: Effort): Promise<readonly Samples[]>;
}
