import { type EntryLine, type SessionKey, type SessionStoreEntry, toEntryLines } from "@reins/sessions";
import { escapePart } from "./escape-part.ts";

/** An entry as it stood when it was given. */
export interface NewLine extends Pick<EntryLine, "json"> {
  /** The caller's object, which may change as soon as the call returns. */
  readonly entry: SessionStoreEntry;
  /** Its uuid, escaped; `""` when it has none. */
  readonly uuid: string;
}

/**
 * Freezes a batch, and leaves out entries whose uuid stands before them in it.
 *
 * @throws InvalidEntryError for the first entry that is no JSON object with a `type`, before anything is stored.
 */
export function toNewLines(key: SessionKey, entries: readonly SessionStoreEntry[]): NewLine[] {
  const known = new Set<string>();
  return toEntryLines(key, entries).flatMap(({ json, uuid }, index): NewLine[] => {
    const entry = entries[index] as SessionStoreEntry;
    if (uuid === undefined) return [{ entry, json, uuid: "" }];
    if (known.has(uuid)) return [];
    known.add(uuid);
    return [{ entry, json, uuid: escapePart(uuid) }];
  });
}

/**
 * Cuts a batch into parts that one script takes at a time, since a server does nothing else while a script runs. A batch of the CLI's mirror
 * is one part: it ends behind 500 entries or 1 MiB.
 */
export function toParts(lines: readonly NewLine[]): NewLine[][] {
  const parts: NewLine[][] = [];
  let part: NewLine[] = [];
  let length = 0;
  for (const line of lines) {
    if (part.length === maxPartEntries || (part.length > 0 && length + line.json.length > maxPartLength)) {
      parts.push(part);
      part = [];
      length = 0;
    }
    part.push(line);
    length += line.json.length;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** 5,000 entries take about 10 ms of the server. */
const maxPartEntries = 5_000;

/** 16 Mi characters; an entry that is longer is a part of its own. */
const maxPartLength = 16 * 1024 * 1024;

/** 128 Ki characters: small enough that a reader can stop behind any element. */
const maxElementLength = 128 * 1024;

/** Joins entries to the elements of a list: JSON arrays, of one entry where it is long. */
export function toElements(lines: readonly Pick<NewLine, "json">[]): string[] {
  const elements: string[] = [];
  let jsons: string[] = [];
  let length = 0;
  for (const { json } of lines) {
    if (jsons.length > 0 && length + json.length > maxElementLength) {
      elements.push(`[${jsons.join(",")}]`);
      jsons = [];
      length = 0;
    }
    jsons.push(json);
    length += json.length;
  }
  if (jsons.length > 0) elements.push(`[${jsons.join(",")}]`);
  return elements;
}
