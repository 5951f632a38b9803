import type { SessionInfo } from "@reins/messages";
import type { SessionStore, SessionSummaryEntry } from "../store/session-store.ts";
import { SessionStoreMethodError } from "./errors.ts";
import { inParallel } from "./in-parallel.ts";
import { projectKeyForDirectory } from "./project-key.ts";
import { storedSessionInfo } from "./stored-info.ts";

/** A session as the store lists it, with its summary if that is up to date. */
interface StoredRow {
  readonly sessionId: string;
  readonly mtime: number;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Lists the sessions of a project in a store, from the summaries that the store keeps, or else by loading.
 *
 * Only the sessions that a page needs are loaded, 16 at a time. One that fails to load is a row without a summary.
 */
export async function listStoredSessions(
  store: SessionStore,
  options: {
    readonly dir?: string | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  },
): Promise<SessionInfo[]> {
  const rows = await rowsOf(store, projectKeyForDirectory(options.dir));
  const limit = options.limit !== undefined && options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const offset = Math.max(options.offset ?? 0, 0);
  const page: SessionInfo[] = [];
  let skipped = 0;
  // Rows that turn out to be no sessions use up no place, so a page is read until it is full.
  const step = limit === Number.POSITIVE_INFINITY ? rows.length : Math.max(16, Math.min(limit + offset, 256));
  for (let start = 0; start < rows.length && page.length < limit; start += step) {
    const infos = await inParallel(rows.slice(start, start + step), (row) => infoOf(store, row, options.dir));
    for (const info of infos) {
      if (info === undefined) continue;
      if (skipped < offset) skipped++;
      else if (page.length < limit) page.push(info);
    }
  }
  return page;
}

async function rowsOf(store: SessionStore, projectKey: string): Promise<StoredRow[]> {
  const rows = new Map<string, StoredRow>();
  const summaries = (await store.listSessionSummaries?.(projectKey)) ?? [];
  if (store.listSessions === undefined) {
    if (store.listSessionSummaries === undefined) {
      throw new SessionStoreMethodError(
        "sessionStore.listSessions is not implemented -- cannot list sessions. Provide a store with a listSessions() method.",
        "listSessions",
      );
    }
    for (const summary of summaries) rows.set(summary.sessionId, summary);
  } else {
    const known = new Map<string, SessionSummaryEntry>(summaries.map((summary) => [summary.sessionId, summary]));
    for (const { sessionId, mtime } of await store.listSessions(projectKey)) {
      const summary = known.get(sessionId);
      // A summary older than its session misses what came last.
      rows.set(sessionId, {
        sessionId,
        mtime,
        data: summary !== undefined && summary.mtime >= mtime ? summary.data : undefined,
      });
    }
  }
  return [...rows.values()].sort((left, right) =>
    right.mtime !== left.mtime ? right.mtime - left.mtime : left.sessionId < right.sessionId ? 1 : -1,
  );
}

async function infoOf(store: SessionStore, row: StoredRow, dir: string | undefined): Promise<SessionInfo | undefined> {
  if (row.data !== undefined) return infoFromSummary(row, row.data, dir);
  try {
    return await storedSessionInfo(store, row.sessionId, dir, row.mtime);
  } catch {
    // Told by the empty summary, which no other session has.
    return { sessionId: row.sessionId, summary: "", lastModified: row.mtime };
  }
}

/** What a fold of a session says about it. Values of another type than expected count as absent: the store may be shared. */
function infoFromSummary(
  row: StoredRow,
  data: Readonly<Record<string, unknown>>,
  dir: string | undefined,
): SessionInfo | undefined {
  if (data["isSidechain"] === true) return undefined;
  const textOf = (name: string) => (typeof data[name] === "string" && data[name] !== "" ? data[name] : undefined);
  const firstPrompt = data["firstPromptLocked"] === true ? textOf("firstPrompt") : textOf("commandFallback");
  const customTitle = textOf("customTitle") ?? textOf("aiTitle");
  const summary = customTitle ?? textOf("lastPrompt") ?? textOf("summaryHint") ?? firstPrompt;
  if (summary === undefined) return undefined;
  const [gitBranch, cwd, tag] = [textOf("gitBranch"), textOf("cwd") ?? dir, textOf("tag")];
  return {
    sessionId: row.sessionId,
    summary,
    lastModified: row.mtime,
    ...(customTitle === undefined ? {} : { customTitle }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(gitBranch === undefined ? {} : { gitBranch }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(tag === undefined ? {} : { tag }),
    ...(typeof data["createdAt"] === "number" ? { createdAt: data["createdAt"] } : {}),
  };
}
