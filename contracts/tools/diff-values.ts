/** One difference between two JSON values. */
export interface ValueDifference {
  readonly change: "added" | "removed" | "changed";
  /** Where, such as `.tools[]`: all elements of an array share one path, so that differences can be put together. */
  readonly path: string;
  /** The value, or the values before and after, in short. */
  readonly detail: string;
}

/**
 * Lists the differences of two JSON values, by path.
 *
 * Arrays of plain values are compared as sets, arrays of objects by their `name` (or `id`, `value`, `rule`, `type`) where that tells their
 * elements apart, else by place. The order of keys and of elements does not count.
 */
export function diffValues(before: unknown, after: unknown, path = ""): ValueDifference[] {
  if (Array.isArray(before) && Array.isArray(after)) return diffArrays(before, after, `${path}[]`);
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => diffMembers(before, after, key, `${path}.${key}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ change: "changed", path, detail: `${short(before)} -> ${short(after)}` }];
}

type JsonObject = Readonly<Record<string, unknown>>;

function diffMembers(before: JsonObject, after: JsonObject, key: string, path: string): ValueDifference[] {
  if (!Object.hasOwn(before, key)) return [{ change: "added", path, detail: short(after[key]) }];
  if (!Object.hasOwn(after, key)) return [{ change: "removed", path, detail: short(before[key]) }];
  return diffValues(before[key], after[key], path);
}

function diffArrays(before: readonly unknown[], after: readonly unknown[], path: string): ValueDifference[] {
  const naming = namingOf(before, after);
  const left = elements(before, naming);
  const right = elements(after, naming);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    if (!left.has(name)) return [{ change: "added", path, detail: short(right.get(name)) } as const];
    if (!right.has(name)) return [{ change: "removed", path, detail: short(left.get(name)) } as const];
    return diffValues(left.get(name), right.get(name), path);
  });
}

/** How the elements of two arrays are told apart. */
type Naming = (element: unknown, index: number) => string;

function namingOf(before: readonly unknown[], after: readonly unknown[]): Naming {
  const all = [...before, ...after];
  if (all.every((element) => typeof element !== "object" || element === null))
    return (element) => JSON.stringify(element);
  for (const key of ["name", "id", "value", "rule", "type"]) {
    const naming: Naming = (element) => String(Object(element)[key]);
    const isGood = (list: readonly unknown[]): boolean =>
      list.every((element) => Object(element)[key] !== undefined) && new Set(list.map(naming)).size === list.length;
    if (isGood(before) && isGood(after)) return naming;
  }
  return (_, index) => String(index);
}

function elements(list: readonly unknown[], naming: Naming): Map<string, unknown> {
  return new Map(list.map((element, index) => [naming(element, index), element]));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
