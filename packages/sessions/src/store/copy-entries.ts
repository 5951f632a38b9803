import type { SessionKey } from "@reins/messages";
import { toEntryJson } from "./entry-line.ts";
import type { SessionStoreEntry } from "./session-store.ts";

/** JSON of the CLI nests some ten levels; what is deeper is left to the engine, which also finds circles. */
const maxDepth = 200;

/** What stands for a value that JSON does not know as it is. */
const notPlain: unique symbol = Symbol();

/**
 * Copies entries as JSON would, so that what the caller does with its objects afterwards changes nothing. Several times as fast as through
 * text, since strings are shared.
 *
 * @throws {@link InvalidEntryError} for the first entry that is no JSON object with a `type`.
 */
export function copyEntries(key: SessionKey, entries: readonly SessionStoreEntry[]): SessionStoreEntry[] {
  return entries.map((entry, index) => {
    const copy = typeof entry?.type === "string" ? copyValue(entry, 0) : notPlain;
    // What is not plain, such as a date, becomes what JSON makes of it, or an error.
    return (copy === notPlain ? JSON.parse(toEntryJson(key, entry, index)) : copy) as SessionStoreEntry;
  });
}

/** Copies entries that came from {@link copyEntries}. */
export function copyStored(entries: readonly SessionStoreEntry[]): SessionStoreEntry[] {
  return entries.map((entry) => {
    const copy = copyValue(entry, 0);
    return (copy === notPlain ? structuredClone(entry) : copy) as SessionStoreEntry;
  });
}

function copyValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : notPlain;
    case "object":
      if (value === null) return null;
      if (depth > maxDepth) return notPlain;
      return Array.isArray(value) ? copyList(value, depth) : copyObject(value, depth);
    default:
      return notPlain;
  }
}

function copyList(list: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (const item of list) {
    const inner = copyValue(item, depth + 1);
    if (inner === notPlain) return notPlain;
    copy.push(inner);
  }
  return copy;
}

function copyObject(object: object, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(object);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in object) return notPlain;
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(object)) {
    const inner = copyValue((object as Record<string, unknown>)[field], depth + 1);
    // Assigning it would set the prototype.
    if (inner === notPlain || field === "__proto__") return notPlain;
    copy[field] = inner;
  }
  return copy;
}
