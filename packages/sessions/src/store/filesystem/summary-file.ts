import { readFile } from "node:fs/promises";
import type { SessionSummaryEntry } from "../session-store.ts";
import { isMissing } from "./fs-errors.ts";
import { replaceFile } from "./write-files.ts";

/** A summary as it is kept beside a transcript. Derived: what was appended since is folded in when it is read. */
export interface StoredSummary {
  readonly summary: SessionSummaryEntry;
  /** Where the transcript ended when it was made, in bytes. */
  readonly end: number;
}

/** Reads a summary; `undefined` when there is none that can be used. */
export async function readSummary(path: string): Promise<StoredSummary | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isStoredSummary(value) ? value : undefined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Replaces a summary at once. Not forced to the disk, since it can be made again. */
export async function writeSummary(path: string, stored: StoredSummary): Promise<void> {
  await replaceFile(path, JSON.stringify(stored), "never");
}

function isStoredSummary(value: unknown): value is StoredSummary {
  if (typeof value !== "object" || value === null || !("end" in value) || !("summary" in value)) return false;
  const { end, summary } = value;
  return (
    Number.isSafeInteger(end) &&
    typeof summary === "object" &&
    summary !== null &&
    "data" in summary &&
    typeof summary.data === "object" &&
    summary.data !== null &&
    "sessionId" in summary &&
    typeof summary.sessionId === "string"
  );
}
