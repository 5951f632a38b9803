import type { SessionKey } from "@reins/messages";
import { InvalidEntryError } from "./errors.ts";
import type { SessionStoreEntry } from "./session-store.ts";

/** An entry as it stood when it was given, in the form in which it is stored. */
export interface EntryLine {
  /** JSON without a newline. */
  readonly json: string;
  /** The `uuid`; `undefined` for an entry without one that can name it, which is never a repetition. */
  readonly uuid: string | undefined;
}

/**
 * What a store does with a batch before it waits for anything: freezes it into lines, so that what the caller does with its objects
 * afterwards changes nothing.
 *
 * @throws {@link InvalidEntryError} for the first entry that is no JSON object with a `type`, before anything is stored.
 */
export function toEntryLines(key: SessionKey, entries: readonly SessionStoreEntry[]): EntryLine[] {
  return entries.map((entry, index) => ({ json: toEntryJson(key, entry, index), uuid: uuidOf(entry) }));
}

/** The `uuid` of an entry, if it has one that can name it. */
export function uuidOf(entry: SessionStoreEntry): string | undefined {
  return typeof entry.uuid === "string" && entry.uuid !== "" ? entry.uuid : undefined;
}

/** Tells whether a uuid is new to a transcript, and makes it known. What has no uuid always is. */
export function isFresh(uuid: string | undefined, known: Set<string>): boolean {
  if (uuid === undefined) return true;
  if (known.has(uuid)) return false;
  known.add(uuid);
  return true;
}

/** JSON of one entry; throws {@link InvalidEntryError} for what is no JSON object with a `type`. */
export function toEntryJson(key: SessionKey, entry: SessionStoreEntry, index: number): string {
  // Entries come from user code too, whatever the types say.
  const value: unknown = entry;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidEntryError(key, index, "it is no object");
  }
  if (typeof entry.type !== "string") throw new InvalidEntryError(key, index, "it has no type");
  let json: string | undefined;
  try {
    json = JSON.stringify(entry);
  } catch (error) {
    throw new InvalidEntryError(key, index, "it cannot be written as JSON", error);
  }
  if (json?.[0] !== "{") throw new InvalidEntryError(key, index, "its toJSON gives no object");
  return json;
}
