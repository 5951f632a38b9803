import { open } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, TranscriptAccessError, type TranscriptProblem } from "./errors.ts";
import { type LooseEntry, parseEntry } from "./fields.ts";

/** What `archived.json` of a session says. */
export interface ArchiveMark {
  readonly archived: boolean;
  /** When it was written, in ms since 1970. */
  readonly atMs: number;
}

/** Longest `archived.json` that counts. */
const maxMarkBytes = 4_096;
/** A title is 200 characters; what is larger than this is no title file. */
const maxTitleBytes = 1_048_576;

/** The description of a subagent may be long, but not that long. */
const maxAgentBytes = 1_048_576;

/** The folder beside a transcript that holds what belongs to the session. */
export function sessionFolder(project: string, sessionId: string): string {
  return join(project, sessionId);
}

/** The mark that archiving leaves, if there is a usable one. */
export async function readArchiveMark(
  folder: string,
  report: (problem: TranscriptProblem) => void,
): Promise<ArchiveMark | undefined> {
  const text = await readSmallFile(join(folder, "archived.json"), maxMarkBytes, report);
  const mark = text === undefined ? undefined : parseEntry(text);
  const atMs = parseIsoTime(mark?.["at"]);
  const archived = mark?.["archived"];
  return typeof archived === "boolean" && atMs !== undefined ? { archived, atMs } : undefined;
}

/** The title that the CLI keeps beside the transcript after a rename, fit to be shown. */
export async function readSideTitle(
  folder: string,
  report: (problem: TranscriptProblem) => void,
): Promise<string | undefined> {
  const text = await readSmallFile(join(folder, "custom-title.json"), maxTitleBytes, report);
  const title = text === undefined ? undefined : parseEntry(text)?.["customTitle"];
  return typeof title === "string" ? cleanTitle(title) : undefined;
}

/** What the CLI keeps beside the transcript of a subagent. */
export async function readAgentFile(
  transcript: string,
  report: (problem: TranscriptProblem) => void,
): Promise<LooseEntry | undefined> {
  const text = await readSmallFile(`${transcript.slice(0, -".jsonl".length)}.meta.json`, maxAgentBytes, report);
  return text === undefined ? undefined : parseEntry(text);
}

/** Makes a title one line of at most 200 characters. */
function cleanTitle(title: string): string {
  const oneLine = title.trim().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return [...oneLine].slice(0, 200).join("").trim();
}

/** Milliseconds since 1970 of an ISO 8601 time with seconds and an offset; nothing for all else, such as the 30th of February. */
function parseIsoTime(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(value);
  if (match === null || Number(match[4]) > 23) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // The day behind the last one of a month is the first of the next.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day || month > 12) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

async function readSmallFile(
  path: string,
  maxBytes: number,
  report: (problem: TranscriptProblem) => void,
): Promise<string | undefined> {
  try {
    const file = await open(path);
    try {
      const status = await file.stat();
      if (!status.isFile() || status.size > maxBytes) return undefined;
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isMissing(error)) report(new TranscriptAccessError("read", path, error));
    return undefined;
  }
}
