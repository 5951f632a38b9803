import type { SessionKey } from "@reins/messages";
import { firstPromptOf } from "./first-prompt.ts";
import type { SessionStoreEntry, SessionSummaryEntry } from "./session-store.ts";

/** Fields whose last string value counts, on an entry of any type, and their names in the summary. */
const lastValues: readonly (readonly [field: string, name: string])[] = [
  ["customTitle", "customTitle"],
  ["aiTitle", "aiTitle"],
  ["lastPrompt", "lastPrompt"],
  ["summary", "summaryHint"],
  ["gitBranch", "gitBranch"],
];

/**
 * Brings a summary up to date with entries that were appended to a main transcript, so that lists need not load transcripts.
 *
 * Pure: `previous` is not changed, and folding batch by batch gives what folding all at once gives. A store calls it from `append`, for
 * main transcripts only, with the entries that it really stored; it serialises read, fold and write per session.
 *
 * @param previous The summary so far; `undefined` for a new session. Fields of its data that are unknown are kept.
 * @param options.mtime When the store wrote the transcript, in ms since 1970, on the clock of its `listSessions`. Default: that of
 * `previous`, else 0.
 * @see contracts/session-store.md, "Summaries"; gives what the Agent SDK 0.3.328 gives
 */
export function foldSessionSummary(
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  options: { readonly mtime?: number } = {},
): SessionSummaryEntry {
  const data: Record<string, unknown> = { ...previous?.data };
  for (const entry of entries) foldEntry(data, entry);
  return {
    sessionId: previous?.sessionId ?? key.sessionId,
    mtime: options.mtime ?? previous?.mtime ?? 0,
    data,
  };
}

function foldEntry(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  data["isSidechain"] ??= entry["isSidechain"] === true;
  foldCreation(data, entry);
  foldFolder(data, entry);
  foldFirstPrompt(data, entry);
  for (const [field, name] of lastValues) {
    const value = entry[field];
    if (typeof value === "string") data[name] = value;
  }
  if (entry.type === "tag") {
    if (typeof entry["tag"] === "string" && entry["tag"] !== "") data["tag"] = entry["tag"];
    else delete data["tag"];
  }
}

function foldCreation(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  if (data["createdAt"] !== undefined || typeof entry.timestamp !== "string") return;
  const createdAt = Date.parse(entry.timestamp);
  if (!Number.isNaN(createdAt)) data["createdAt"] = createdAt;
}

function foldFolder(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  const { cwd, relocatedCwd } = entry;
  if (data["cwd"] === undefined && typeof cwd === "string" && cwd !== "") data["cwd"] = cwd;
  if (entry.type === "relocated" && typeof relocatedCwd === "string" && relocatedCwd !== "") data["cwd"] = relocatedCwd;
}

function foldFirstPrompt(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  if (data["firstPromptLocked"] === true) return;
  const { text, command } = firstPromptOf(entry);
  if (command !== undefined) data["commandFallback"] ??= command;
  if (text === undefined) return;
  data["firstPrompt"] = text;
  data["firstPromptLocked"] = true;
}
