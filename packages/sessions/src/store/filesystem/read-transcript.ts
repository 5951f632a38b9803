import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionKey } from "@reins/messages";
import { CorruptTranscriptError } from "../errors.ts";
import { foldSessionSummary } from "../fold-session-summary.ts";
import type { SessionStoreEntry, SessionSummaryEntry } from "../session-store.ts";
import { isMissing } from "./fs-errors.ts";
import { parseEntry, scanLines } from "./scan-lines.ts";
import { readSummary } from "./summary-file.ts";
import { isLineEnd, summaryFile, toMtime, transcriptFile } from "./transcript-log.ts";

/**
 * Reads all entries of a transcript; `null` when it has none. What stands behind the last whole entry was never acknowledged, and is left
 * out.
 *
 * @throws CorruptTranscriptError when a line before the last whole entry is broken.
 */
export async function loadTranscript(folder: string, key: SessionKey): Promise<SessionStoreEntry[] | null> {
  const path = join(folder, transcriptFile);
  const file = await openIfThere(path);
  if (file === undefined) return null;
  try {
    const entries: SessionStoreEntry[] = [];
    let broken: number | undefined;
    for await (const lines of scanLines(file, 0)) {
      for (const { bytes, byteOffset } of lines) {
        const entry = parseEntry(bytes);
        if (entry === undefined) broken ??= byteOffset;
        else if (broken !== undefined) throw new CorruptTranscriptError("load", key, { path, byteOffset: broken });
        else entries.push(entry);
      }
    }
    return entries.length === 0 ? null : entries;
  } finally {
    await file.close();
  }
}

/** When a transcript was last written; `undefined` when there is none. */
export async function readMtime(folder: string): Promise<number | undefined> {
  try {
    const stats = await stat(join(folder, transcriptFile));
    return stats.size === 0 ? undefined : toMtime(stats);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The summary of a main transcript, brought up to date where a writer died before it did that; `undefined` without a transcript. */
export async function readCurrentSummary(folder: string, key: SessionKey): Promise<SessionSummaryEntry | undefined> {
  // The summary first: it may then be behind the transcript, but not ahead of it.
  const stored = await readSummary(join(folder, summaryFile));
  const file = await openIfThere(join(folder, transcriptFile));
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    const mtime = toMtime(stats);
    if (stats.size === 0) return undefined;
    if (stored?.end === stats.size) return { ...stored.summary, mtime };
    const isUsable = stored !== undefined && (await isLineEnd(file, stored.end, stats.size));
    let summary = isUsable ? stored.summary : undefined;
    for await (const lines of scanLines(file, isUsable ? stored.end : 0)) {
      const entries = lines.flatMap(({ bytes }) => parseEntry(bytes) ?? []);
      if (entries.length > 0) summary = foldSessionSummary(summary, key, entries, { mtime });
    }
    return summary && { ...summary, mtime };
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
