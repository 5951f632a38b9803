/** An amount for a reader: cents, and of less than a dollar their hundredths, too. */
export function dollars(costUsd: number): string {
  return `$${costUsd < 1 ? costUsd.toFixed(4) : costUsd.toFixed(2)}`;
}
