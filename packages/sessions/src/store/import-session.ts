import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { SessionKey } from "@reins/messages";
import { decodeFrames } from "@reins/streamjson";
import { isMissing, SessionNotFoundError, TranscriptAccessError, TranscriptLineError } from "../transcript/errors.ts";
import { findTranscript } from "../transcript/find-transcript.ts";
import type { TranscriptLocation } from "../transcript/location.ts";
import { isSessionId } from "../transcript/session-id.ts";
import type { SessionStore, SessionStoreEntry } from "./session-store.ts";
import { type TransferOptions, type TransferredTranscript, transferEntries } from "./transfer.ts";

/** What of a local session goes into a store, and how. */
export interface ImportSessionOptions extends TransferOptions, TranscriptLocation {
  /** Default true. */
  readonly includeSubagents?: boolean;
  /**
   * Brings the records of requests to the model along, which are most of a file and which the CLI itself never mirrors. Default false.
   */
  readonly includeApiRequests?: boolean;
  /** Under which project. Default the name of the project folder that the session was found in. */
  readonly projectKey?: string;
}

/** One imported transcript. */
export interface ImportedTranscript extends TransferredTranscript {
  /** Lines that are no entries, and were left out. `onProblem` is told about each. */
  readonly skippedLines: number;
}

/** What was imported. */
export interface ImportSessionReport {
  readonly key: SessionKey;
  /** Subagents first, the main transcript last. */
  readonly transcripts: readonly ImportedTranscript[];
}

/**
 * Copies a session from the CLI's folder into a store, subagents included. The files stay as they are.
 *
 * May be called again, after an interruption or when the session has gone on: what is in the store is not stored twice. The side files of
 * subagents become `agent_metadata` entries, as the CLI mirrors them.
 *
 * @throws SessionNotFoundError when there is no such session.
 * @throws SessionConflictError when the store has a transcript under that key that does not begin as the file does.
 * @throws TypeError when the id is no UUID.
 * @see contracts/session-store.md, "Import"
 */
export async function importSession(
  sessionId: string,
  store: SessionStore,
  options: ImportSessionOptions = {},
): Promise<ImportSessionReport> {
  if (!isSessionId(sessionId)) throw new TypeError(`Invalid sessionId: ${sessionId}`);
  const found = await findTranscript(sessionId, options);
  if (found === undefined) {
    const where = options.dir === undefined ? "in any project directory" : `in project directory for ${options.dir}`;
    throw new SessionNotFoundError(sessionId, ` ${where}`, options.dir);
  }
  const key: SessionKey = { projectKey: options.projectKey ?? basename(found.project), sessionId };
  const transcripts: ImportedTranscript[] = [];
  const folder = found.path.slice(0, -".jsonl".length);
  for (const subpath of options.includeSubagents === false ? [] : await subagentPaths(folder)) {
    const path = join(folder, ...subpath.split("/"));
    transcripts.push(await importFile(`${path}.jsonl`, store, { ...key, subpath }, options));
    await importMetadata(`${path}.meta.json`, store, { ...key, subpath });
  }
  transcripts.push(await importFile(found.path, store, key, options));
  return { key, transcripts };
}

async function importFile(
  path: string,
  store: SessionStore,
  key: SessionKey,
  options: ImportSessionOptions,
): Promise<ImportedTranscript> {
  let skippedLines = 0;
  const entries = readEntries(path, options, () => skippedLines++);
  const transferred = await transferEntries(store, entries, {
    ...options,
    operation: "import",
    key,
    // The mirror puts them wherever they were written; here they follow at the end.
    isCompared: ({ type }) => type !== "agent_metadata",
  });
  return { ...transferred, skippedLines };
}

async function* readEntries(
  path: string,
  { includeApiRequests = false, onProblem }: ImportSessionOptions,
  onSkip: () => void,
): AsyncGenerator<SessionStoreEntry, undefined> {
  const source = createReadStream(path, { highWaterMark: 1_048_576 });
  try {
    for await (const frame of decodeFrames(source, {
      onMalformed: "deliver",
      maxLineBytes: Number.POSITIVE_INFINITY,
    })) {
      if (frame.error !== undefined) {
        onSkip();
        onProblem?.(new TranscriptLineError(path, frame.byteOffset, frame.error));
        continue;
      }
      const { value } = frame;
      if (typeof value["type"] !== "string") onSkip();
      // Its type is a string, and the rest of an entry may be anything.
      else if (includeApiRequests || !isApiRequest(value["type"])) yield value as SessionStoreEntry;
    }
  } catch (error) {
    // Others are those of onProblem.
    throw error instanceof Error && "syscall" in error ? new TranscriptAccessError("read", path, error) : error;
  }
}

/** The types that the CLI keeps local: `api-request`, `api-request-shape`, `api-request-blob`, `api-request-resumed`. */
function isApiRequest(type: string): boolean {
  return type === "api-request" || type.startsWith("api-request-");
}

/** Appends the side file of a subagent, unless the last one in the store says the same. A missing or broken one is none. */
async function importMetadata(path: string, store: SessionStore, key: SessionKey): Promise<void> {
  const fields = await readObject(path);
  if (fields === undefined) return;
  // The type last, so that one in the file cannot win.
  const entry: SessionStoreEntry = { ...fields, type: "agent_metadata" };
  const last = (await store.load(key))?.findLast(({ type }) => type === "agent_metadata");
  if (!isDeepStrictEqual(last, entry)) await store.append(key, [entry]);
}

async function readObject(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw new TranscriptAccessError("read", path, error);
  }
}

/** Subpaths of the transcripts below `subagents/`, at any depth, in a stable order. */
async function subagentPaths(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const visit = async (parent: string): Promise<void> => {
    const entries = await readdir(join(folder, ...parent.split("/")), { withFileTypes: true }).catch(
      (error: unknown) => {
        if (isMissing(error)) return [];
        throw new TranscriptAccessError("read", join(folder, parent), error);
      },
    );
    for (const entry of entries) {
      const path = `${parent}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile() && entry.name.endsWith(".jsonl")) paths.push(path.slice(0, -".jsonl".length));
    }
  };
  await visit("subagents");
  return paths.sort();
}
