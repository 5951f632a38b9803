import type { SessionStoreEntry } from "../store/session-store.ts";
import { ConformanceError } from "./conformance-error.ts";

/** Fails the check with a sentence that says what the store did. */
export function fail(message: string, cause?: unknown): never {
  throw new ConformanceError(message, cause === undefined ? undefined : { cause });
}

/** Fails unless a condition holds. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) fail(message);
}

/** Fails unless both are the same JSON, whatever the order of keys; names the first place where they differ. */
export function ensureSame(what: string, actual: unknown, expected: unknown): void {
  const difference = firstDifference(actual, expected, "");
  if (difference !== undefined) fail(`${what}: ${difference}.`);
}

/** Fails unless a transcript holds just these entries in this order. */
export function ensureEntries(
  what: string,
  actual: SessionStoreEntry[] | null,
  expected: readonly SessionStoreEntry[],
): void {
  if (actual === null) fail(`${what}: load gave null for a transcript that was written.`);
  if (actual.length !== expected.length) {
    fail(
      `${what}: load gave ${actual.length} entries, not ${expected.length}: ${brief(actual.map(({ uuid }) => uuid))}.`,
    );
  }
  ensureSame(what, actual, expected);
}

/** Fails unless both have the same members, in any order. */
export function ensureSameSet(what: string, actual: readonly string[], expected: readonly string[]): void {
  ensureSame(what, [...actual].sort(), [...expected].sort());
}

/** Fails unless the call rejects; gives the error. */
export async function ensureRejects(what: string, call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
    fail(`${what}: it rejected with ${brief(error)}, which is no Error.`);
  }
  fail(`${what}: it did not reject.`);
}

/** Tells whether an error says that the same call may succeed later. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && "retryable" in error && error.retryable === true;
}

function firstDifference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  const place = path === "" ? "the value" : path;
  if (!isObject(actual) || !isObject(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${place} is ${brief(actual)}, not ${brief(expected)}`;
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const key of keys) {
    const step = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`;
    if (!Object.hasOwn(actual, key)) return `${step} is missing`;
    if (!Object.hasOwn(expected, key)) return `${step} was not there before`;
    const difference = firstDifference(actual[key], expected[key], step);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** A value as JSON, or the beginning of that. */
export function brief(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 120 ? `${json.slice(0, 120)}…` : json;
}
