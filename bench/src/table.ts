import { spread } from "./measure.ts";
import type { Samples } from "./row.ts";

/** A row as a table for people: a line for each contender, and under each of ours how it compares with each of the others. */
export function toTable(samples: readonly Samples[]): string {
  const width = Math.max(...samples.map(({ name }) => name.length));
  const others = samples.filter(({ name }) => !isOwn(name));
  return samples
    .flatMap((each) => {
      const line = `${each.name.padEnd(width)}  ${unitsOf(each)
        .map((unit) => format(each, unit))
        .join("   ")}`;
      if (!isOwn(each.name)) return [line];
      return [line, ...others.map((other) => `${"".padEnd(width)}    of ${other.name}: ${ratios(each, other)}`)];
    })
    .join("\n");
}

/** A row as data. Ratios are ours to theirs, of medians. */
export function toJson(samples: readonly Samples[]): unknown {
  const others = samples.filter(({ name }) => !isOwn(name));
  return samples.map((each) => ({
    name: each.name,
    values: Object.fromEntries(unitsOf(each).map((unit) => [unit, spread(valuesOf(each, unit))])),
    ...(isOwn(each.name) && {
      ratios: Object.fromEntries(
        others.map((other) => [
          other.name,
          Object.fromEntries(shared(each, other).map((unit) => [unit, ratio(each, other, unit)])),
        ]),
      ),
    }),
  }));
}

function isOwn(name: string): boolean {
  return name.startsWith("@reins/");
}

function unitsOf({ costs }: Samples): string[] {
  return Object.keys(costs[0] ?? {});
}

function valuesOf({ costs }: Samples, unit: string): number[] {
  return costs.map((cost) => cost[unit] ?? Number.NaN);
}

function shared(own: Samples, other: Samples): string[] {
  return unitsOf(own).filter((unit) => unitsOf(other).includes(unit));
}

function ratio(own: Samples, other: Samples, unit: string): number {
  return spread(valuesOf(own, unit)).median / spread(valuesOf(other, unit)).median;
}

function ratios(own: Samples, other: Samples): string {
  return shared(own, other)
    .map((unit) => `${ratio(own, other, unit).toFixed(2)} x ${unit}`)
    .join(", ");
}

function format(samples: Samples, unit: string): string {
  const { median, min, max } = spread(valuesOf(samples, unit));
  const range = samples.costs.length > 1 ? ` (${digits(min)} to ${digits(max)})` : "";
  return `${digits(median).padStart(7)} ${unit}${range}`;
}

/** Three figures are as much as such a measurement means. */
function digits(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(places, 4));
}
