import {
  InvalidEntryError,
  InvalidSessionKeyError,
  type SessionKey,
  type SessionStoreEntry,
  type SessionStoreOperation,
} from "@reins/sessions";
import { parseObject } from "./part.ts";
import type { Batch } from "./transcript-writer.ts";

/** @throws {@link InvalidSessionKeyError} unless every part of a key is a string with something in it. */
export function checkKey(operation: SessionStoreOperation, { projectKey, sessionId, subpath }: SessionKey): void {
  checkPart(operation, "projectKey", projectKey);
  checkPart(operation, "sessionId", sessionId);
  if (subpath !== undefined) checkPart(operation, "subpath", subpath);
}

export function checkPart(
  operation: SessionStoreOperation,
  part: "projectKey" | "sessionId" | "subpath",
  value: unknown,
): void {
  if (typeof value !== "string" || value === "") throw new InvalidSessionKeyError(operation, part, value);
}

/**
 * Freezes entries as they are now.
 *
 * @throws {@link InvalidEntryError} for the first one that is no JSON object with a `type`.
 */
export function freezeEntries(key: SessionKey, entries: readonly SessionStoreEntry[]): Batch {
  const lines = entries.map((entry, index) => toLine(key, entry, index));
  // Toplevel objects, as was checked; a copy, since the caller may change what it gave.
  return { lines, entries: lines.map((line) => parseObject(line) as SessionStoreEntry) };
}

function toLine(key: SessionKey, entry: unknown, index: number): string {
  let line: string | undefined;
  try {
    line = JSON.stringify(entry);
  } catch (error) {
    throw new InvalidEntryError(key, index, "it cannot be written as JSON", error);
  }
  if (line?.[0] !== "{") throw new InvalidEntryError(key, index, "it is no object");
  // What is written counts, which a toJSON may have made.
  if (typeof parseObject(line)?.["type"] !== "string") throw new InvalidEntryError(key, index, "it has no type");
  return line;
}
