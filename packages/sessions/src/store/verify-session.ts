import { isDeepStrictEqual } from "node:util";
import type { SessionKey } from "@reins/messages";
import { SessionNotFoundError } from "../transcript/errors.ts";
import { CorruptTranscriptError } from "./errors.ts";
import { foldSessionSummary } from "./fold-session-summary.ts";
import type { InspectableSessionStore, SessionIssue } from "./session-issue.ts";
import { sessionOf } from "./session-key.ts";
import type { SessionName, SessionStore, SessionStoreEntry } from "./session-store.ts";
import { verifyChain } from "./verify-chain.ts";

/** What was found in a session. */
export interface SessionReport {
  readonly session: SessionName;
  /** True when nothing is lost or read wrongly: there are no errors, though maybe warnings. */
  readonly ok: boolean;
  readonly issues: readonly SessionIssue[];
  /** The main transcript first. `entries` is absent for one that could not be loaded. */
  readonly transcripts: readonly { readonly key: SessionKey; readonly entries?: number }[];
}

/**
 * Checks a stored session: that each chain of messages holds together, that list and summary fit the transcript, and, in a store that can
 * show its files (`FileSystemSessionStore`), that these are whole. Changes nothing.
 *
 * @throws SessionNotFoundError when the store has no such session.
 */
export async function verifySession(
  store: SessionStore & Partial<InspectableSessionStore>,
  session: SessionName,
): Promise<SessionReport> {
  const name = sessionOf(session);
  const subpaths = ((await store.listSubkeys?.(name)) ?? []).sort();
  const issues: SessionIssue[] = [];
  const transcripts: { key: SessionKey; entries?: number }[] = [];
  for (const key of [name, ...subpaths.map((subpath) => ({ ...name, subpath }))]) {
    const found = (await store.inspect?.(key)) ?? [];
    issues.push(...found);
    const entries = await loadIfWhole(store, key);
    if (entries === null) continue;
    transcripts.push({ key, ...(entries && { entries: entries.length }) });
    if (entries === undefined) continue;
    issues.push(...verifyChain(key, entries));
    if (!("subpath" in key)) issues.push(...(await verifyLists(store, key, entries)));
  }
  if (transcripts.length === 0) throw new SessionNotFoundError(name.sessionId, ` in project ${name.projectKey}`);
  return { session: name, ok: issues.every(({ severity }) => severity === "warning"), issues, transcripts };
}

/** `undefined` for a transcript with a broken line: inspecting has listed all of them. */
async function loadIfWhole(store: SessionStore, key: SessionKey): Promise<SessionStoreEntry[] | null | undefined> {
  try {
    return await store.load(key);
  } catch (error) {
    if (error instanceof CorruptTranscriptError) return undefined;
    throw error;
  }
}

async function verifyLists(
  store: SessionStore,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
): Promise<SessionIssue[]> {
  const issues: SessionIssue[] = [];
  const rows = await store.listSessions?.(key.projectKey);
  if (rows !== undefined && !rows.some(({ sessionId }) => sessionId === key.sessionId)) {
    issues.push({
      kind: "not-listed",
      severity: "error",
      key,
      message: "The session is missing in the list of its project.",
    });
  }
  const summaries = await store.listSessionSummaries?.(key.projectKey);
  const stored = summaries?.find(({ sessionId }) => sessionId === key.sessionId);
  const folded = foldSessionSummary(undefined, key, entries);
  // A store may keep fields of its own, or of a later version, in the data.
  const isCurrent = Object.entries(folded.data).every(([field, value]) =>
    isDeepStrictEqual(stored?.data[field], value),
  );
  if (summaries !== undefined && !isCurrent) {
    issues.push({
      kind: "stale-summary",
      severity: "error",
      key,
      message: "The summary is not that of the transcript.",
    });
  }
  return issues;
}
