import { InvalidEntryError, type SessionKey, type SessionStoreEntry } from "@reins/sessions";
import { toUuidText } from "./key-text.ts";

/** A message to Postgres may have 1 GB, and a string of Node half of that. */
const maxPartLength = 32 * 1024 * 1024;

/** Entries as they stood when they were given, to be inserted by one statement. */
export interface BatchPart {
  /** JSON of each. It has no line breaks, U+0000 or halves of surrogate pairs: `JSON.stringify` writes them as `\u…`. */
  readonly lines: readonly string[];
  /** The `uuid` of each for the index; empty for an entry without. */
  readonly uuids: readonly string[];
}

/**
 * Freezes a batch, so that what the caller does with its objects afterwards changes nothing. One part, unless it has more than 32 MB.
 *
 * @throws InvalidEntryError for the first entry that is no JSON object with a `type`, before anything is stored.
 */
export function toBatchParts(key: SessionKey, entries: readonly SessionStoreEntry[]): BatchPart[] {
  const parts: { lines: string[]; uuids: string[] }[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const [index, entry] of entries.entries()) {
    const line = toLine(key, entry, index);
    length += line.length;
    if (length > maxPartLength) {
      parts.push({ lines: [], uuids: [] });
      length = line.length;
    }
    parts.at(-1)?.lines.push(line);
    parts.at(-1)?.uuids.push(typeof entry.uuid === "string" && entry.uuid !== "" ? toUuidText(entry.uuid) : "");
  }
  return parts;
}

function toLine(key: SessionKey, entry: SessionStoreEntry, index: number): string {
  // Entries come from user code too, whatever the types say.
  const value: unknown = entry;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidEntryError(key, index, "it is no object");
  }
  if (typeof entry.type !== "string") throw new InvalidEntryError(key, index, "it has no type");
  let line: string | undefined;
  try {
    line = JSON.stringify(entry);
  } catch (error) {
    throw new InvalidEntryError(key, index, "it cannot be written as JSON", error);
  }
  if (line?.[0] !== "{") throw new InvalidEntryError(key, index, "its toJSON gives no object");
  return line;
}
