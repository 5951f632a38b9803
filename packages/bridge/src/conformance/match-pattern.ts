import { isDeepStrictEqual } from "node:util";

/** Texts that were kept, by name. */
export type Saved = Map<string, string>;

/**
 * Compares a value with a pattern, see {@link ConformanceScript}.
 *
 * @returns Where they differ, or `undefined`. What is to be kept is kept as far as they agree.
 */
export function mismatch(pattern: unknown, value: unknown, saved: Saved, path = "message"): string | undefined {
  if (!isObject(pattern)) {
    if (Array.isArray(pattern)) return listMismatch(pattern, value, saved, path);
    return isDeepStrictEqual(pattern, value) ? undefined : `${path} is ${show(value)}, not ${show(pattern)}`;
  }
  const name = pattern["$save"] ?? pattern["$use"];
  if (typeof name === "string") {
    if (typeof value !== "string" || value === "") return `${path} is ${show(value)}, not a text`;
    if ("$save" in pattern) saved.set(name, value);
    else if (saved.get(name) !== value) return `${path} is ${show(value)}, not ${show(saved.get(name))}`;
    return undefined;
  }
  if ("$includes" in pattern) {
    const wanted = pattern["$includes"];
    const holds = Array.isArray(value) && value.some((item) => isDeepStrictEqual(item, wanted));
    return holds ? undefined : `${path} is ${show(value)}, without ${show(wanted)}`;
  }
  if (!isObject(value)) return `${path} is ${show(value)}, not an object`;
  for (const [field, expected] of Object.entries(pattern)) {
    const problem = mismatch(expected, value[field], saved, `${path}.${field}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function listMismatch(pattern: readonly unknown[], value: unknown, saved: Saved, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is ${show(value)}, not a list`;
  for (const [i, expected] of pattern.entries()) {
    const problem = mismatch(expected, value[i], saved, `${path}[${i}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Puts what was kept into a message. */
export function fillIn(pattern: unknown, saved: Saved): unknown {
  if (Array.isArray(pattern)) return pattern.map((item) => fillIn(item, saved));
  if (!isObject(pattern)) return pattern;
  const name = pattern["$use"];
  if (typeof name === "string") return saved.get(name);
  return Object.fromEntries(Object.entries(pattern).map(([field, value]) => [field, fillIn(value, saved)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
