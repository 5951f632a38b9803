import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SessionKey } from "@reins/messages";
import { uuidOf } from "../entry-line.ts";
import type { SessionIssue, SessionIssueKind } from "../session-issue.ts";
import { isMissing } from "./fs-errors.ts";
import { parseEntry, scanLines } from "./scan-lines.ts";
import { indexFile, isLineEnd, transcriptFile } from "./transcript-log.ts";
import { UuidIndex } from "./uuid-index.ts";

/** Finds what is wrong with the files of a transcript. Takes no lock: what a running append is about to finish shows as `torn-end`. */
export async function inspectTranscript(folder: string, key: SessionKey): Promise<SessionIssue[]> {
  const issues: SessionIssue[] = [];
  const path = join(folder, transcriptFile);
  const report = (kind: SessionIssueKind, severity: SessionIssue["severity"], message: string, byteOffset?: number) => {
    issues.push({ kind, severity, key, message, path, ...(byteOffset === undefined ? {} : { byteOffset }) });
  };
  const names: string[] = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const drafts = names.filter((name) => name.endsWith(".tmp"));
  if (drafts.length > 0)
    report("draft", "warning", `A writer that died left ${drafts.join(", ")}; the next removes it.`);
  if (!names.includes(transcriptFile)) return issues;

  const indexed = await new UuidIndex(join(folder, indexFile)).load();
  const missing = new Set<string>();
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    let broken: number[] = [];
    let last: { byteOffset: number; terminated: boolean } | undefined;
    for await (const lines of scanLines(file, 0)) {
      for (const { bytes, byteOffset, terminated } of lines) {
        const entry = parseEntry(bytes);
        if (entry === undefined) {
          broken.push(byteOffset);
          continue;
        }
        for (const offset of broken) report("broken-line", "error", `The line at byte ${offset} is no entry.`, offset);
        broken = [];
        last = { byteOffset, terminated };
        const uuid = uuidOf(entry);
        if (uuid !== undefined && !indexed.uuids.has(uuid)) missing.add(uuid);
      }
    }
    const [torn] = last?.terminated === false ? [last.byteOffset] : broken;
    if (torn !== undefined) {
      report("torn-end", "warning", `A writer died at byte ${torn}; the next write repairs it.`, torn);
    }
    if (!(await isLineEnd(file, indexed.end, size))) {
      report(
        "index-ahead",
        "error",
        `The index covers ${indexed.end} bytes, but there are ${size}: acknowledged entries are gone.`,
      );
    } else if (missing.size > 0) {
      report("index-behind", "warning", `The index lacks ${missing.size} uuids; the next write adds them.`);
    }
  } finally {
    await file.close();
  }
  return issues;
}
