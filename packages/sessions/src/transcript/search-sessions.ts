import { basename, dirname } from "node:path";
import { blocksOf, fieldOf, isObject } from "./chain-entry.ts";
import { TranscriptAccessError } from "./errors.ts";
import type { LooseEntry } from "./fields.ts";
import { problemHandler } from "./find-transcript.ts";
import { listTranscripts } from "./list-sessions.ts";
import type { TranscriptLocation } from "./location.ts";
import { readTranscript } from "./read-transcript.ts";

/** Options of {@link searchSessions}. */
export interface SearchSessionsOptions extends TranscriptLocation {
  /** Whether a string is searched for as it is written. Default false. No effect on a regular expression, which has its own flags. */
  readonly caseSensitive?: boolean | undefined;
  /** With `dir`, whether the other git worktrees of its repository are searched. Default true. */
  readonly includeWorktrees?: boolean | undefined;
  /** Most matches. Default: all. */
  readonly limit?: number | undefined;
  /** Ends the search with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A place where a search found something. */
export interface SessionMatch {
  readonly sessionId: string;
  readonly projectKey: string;
  /** The transcript. */
  readonly path: string;
  /** Where the line begins in the transcript, to read on from there with {@link readTranscript}. */
  readonly byteOffset: number;
  /** Type of the entry, such as `"user"` or `"custom-title"`. */
  readonly type: string;
  readonly uuid?: string;
  /** ISO 8601. */
  readonly timestamp?: string;
  /** What was found, with up to 80 characters before and behind it. */
  readonly excerpt: string;
}

/** Characters of an excerpt on each side of what was found. */
const excerptMargin = 80;

/**
 * Searches what was said in sessions: prompts, answers, tool inputs and results, titles, tags and summaries. The newest session first, and in a
 * session from its beginning; one match per entry.
 *
 * Matches come while the search goes on, and it goes no further than it is asked. One file is open at a time and one line in memory.
 *
 * @param query A string, or a regular expression, which sees one text of an entry at a time.
 * @throws {@link TranscriptAccessError} for the first file that cannot be read, unless there is an `onProblem`.
 * @throws The reason of the signal.
 * @example
 * for await (const match of searchSessions("flaky test", { limit: 10 })) console.log(match.sessionId, match.excerpt);
 */
export async function* searchSessions(
  query: string | RegExp,
  options: SearchSessionsOptions = {},
): AsyncGenerator<SessionMatch, undefined> {
  const { signal, limit = Number.POSITIVE_INFINITY } = options;
  const report = problemHandler(options);
  const pattern = patternOf(query, options.caseSensitive ?? false);
  // Where JSON writes a text as it is, a line without it needs no parsing.
  const plain =
    typeof query === "string" && /^[\x20-\x7e]+$/.test(query) && !/["\\/]/.test(query) ? pattern : undefined;
  let count = 0;
  if (limit <= 0) return;
  for (const path of await listTranscripts(options)) {
    try {
      for await (const line of readTranscript(path, { signal })) {
        if (!isSearched(line.type) || (plain !== undefined && !plain.test(line.text)) || line.error !== undefined)
          continue;
        const found = firstMatch(line.entry, pattern);
        if (found === undefined) continue;
        const { uuid, timestamp } = line.entry;
        yield {
          sessionId: basename(path, ".jsonl"),
          projectKey: basename(dirname(path)),
          path,
          byteOffset: line.byteOffset,
          type: line.type ?? "",
          ...(typeof uuid === "string" ? { uuid } : {}),
          ...(typeof timestamp === "string" ? { timestamp } : {}),
          excerpt: found,
        };
        if (++count >= limit) return;
      }
    } catch (error) {
      if (!(error instanceof TranscriptAccessError)) throw error;
      report(error);
    }
  }
}

const searched: ReadonlySet<unknown> = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "summary",
  "custom-title",
  "ai-title",
  "tag",
]);

function isSearched(type: string | undefined): boolean {
  return searched.has(type);
}

/** A pattern without memory: `g` and `y` would make a search depend on the one before. */
function patternOf(query: string | RegExp, caseSensitive: boolean): RegExp {
  if (typeof query !== "string") return new RegExp(query.source, query.flags.replace(/[gy]/g, ""));
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), caseSensitive ? "u" : "iu");
}

function firstMatch(entry: LooseEntry, pattern: RegExp): string | undefined {
  for (const text of textsOf(entry)) {
    const match = pattern.exec(text);
    if (match === null) continue;
    return text.slice(Math.max(match.index - excerptMargin, 0), match.index + match[0].length + excerptMargin);
  }
  return undefined;
}

function* textsOf(entry: LooseEntry): Generator<string, undefined> {
  for (const name of ["content", "summary", "customTitle", "aiTitle", "tag"] as const) {
    const value = entry[name];
    if (typeof value === "string") yield value;
  }
  const content = fieldOf(entry["message"], "content");
  if (typeof content === "string") yield content;
  for (const block of blocksOf(entry)) yield* stringsIn(block);
  const attachment = entry["attachment"];
  if (isObject(attachment) && attachment["type"] === "queued_command") yield* stringsIn(attachment["prompt"]);
}

/** Fields of blocks that nobody said. */
const unsaid: ReadonlySet<string> = new Set([
  "type",
  "id",
  "tool_use_id",
  "signature",
  "data",
  "media_type",
  "cache_control",
]);

function* stringsIn(value: unknown): Generator<string, undefined> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) if (!unsaid.has(name)) yield* stringsIn(member);
  }
}
