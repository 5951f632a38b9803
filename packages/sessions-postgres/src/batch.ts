import { type SessionKey, type SessionStoreEntry, toEntryLines } from "@reins/sessions";
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
  for (const { json, uuid } of toEntryLines(key, entries)) {
    length += json.length;
    if (length > maxPartLength) {
      parts.push({ lines: [], uuids: [] });
      length = json.length;
    }
    parts.at(-1)?.lines.push(json);
    parts.at(-1)?.uuids.push(uuid === undefined ? "" : toUuidText(uuid));
  }
  return parts;
}
