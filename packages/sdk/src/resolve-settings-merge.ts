import { isRecord } from "./resolve-settings-check.ts";

/** Lists are joined without repeating what is there, objects merged; of other values the later one counts. Neither side is changed. */
export function mergeSettings(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: [string, unknown][] = Object.entries(over).map(([key, value]) => {
    return [key, mergeValue(Object.hasOwn(base, key) ? base[key] : undefined, value)];
  });
  // Not by assignment, which would lose a member that is called __proto__.
  return Object.fromEntries([...Object.entries(base), ...merged]);
}

function mergeValue(base: unknown, over: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(over)) return [...new Set([...base, ...over])];
  if (isRecord(over)) {
    // A list is kept against an object; an object goes before everything else.
    if (Array.isArray(base)) return base;
    return mergeSettings(isRecord(base) ? base : {}, over);
  }
  return over;
}
