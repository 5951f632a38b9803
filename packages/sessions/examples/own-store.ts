import {
  checkProjectKey,
  checkSessionKey,
  foldSessionSummary,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  type SessionSummaryEntry,
  toEntryLines,
} from "@reins/sessions";
import { runSessionStoreChecks } from "@reins/sessions/conformance";

interface Row {
  readonly key: SessionKey;
  readonly lines: readonly string[];
  readonly uuids: readonly string[];
  readonly mtime: number;
  readonly summary: SessionSummaryEntry | undefined;
}

/** Keeps each transcript as one text in a map, which stands for a database that takes a text for a name. */
class MapSessionStore implements SessionStore {
  readonly rows: Map<string, string>;

  constructor(rows: Map<string, string>) {
    this.rows = rows;
  }

  async append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    checkSessionKey("append", key);
    const row = this.#read(key);
    const uuids = new Set(row?.uuids);
    // An entry with a known uuid is a repetition. One without a uuid never is.
    const added = toEntryLines(key, entries).filter(({ uuid }) => {
      const isNew = uuid === undefined || !uuids.has(uuid);
      if (uuid !== undefined) uuids.add(uuid);
      return isNew;
    });
    if (added.length === 0) return;

    const mtime = Math.max(Date.now(), (row?.mtime ?? 0) + 1);
    const stored = added.map(({ json }) => JSON.parse(json) as SessionStoreEntry);
    // Main transcripts only, and only what was really stored.
    const summary = key.subpath === undefined ? foldSessionSummary(row?.summary, key, stored, { mtime }) : undefined;
    const lines = [...(row?.lines ?? []), ...added.map(({ json }) => json)];
    // Between the read and this there is no await, so that no other append comes in between. A database needs a transaction.
    this.rows.set(nameOf(key), JSON.stringify({ key, lines, uuids: [...uuids], mtime, summary } satisfies Row));
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    checkSessionKey("load", key);
    return this.#read(key)?.lines.map((line) => JSON.parse(line) as SessionStoreEntry) ?? null;
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    checkProjectKey("listSessions", projectKey);
    return this.#mainRows(projectKey).map(({ key, mtime }) => ({ sessionId: key.sessionId, mtime }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    checkProjectKey("listSessionSummaries", projectKey);
    return this.#mainRows(projectKey).flatMap(({ summary }) => summary ?? []);
  }

  #read(key: SessionKey): Row | undefined {
    const text = this.rows.get(nameOf(key));
    return text === undefined ? undefined : (JSON.parse(text) as Row);
  }

  #mainRows(projectKey: string): Row[] {
    const rows = [...this.rows.values()].map((text) => JSON.parse(text) as Row);
    return rows.filter(({ key }) => key.projectKey === projectKey && key.subpath === undefined);
  }
}

/** JSON keeps the parts apart, whatever is in them. Joined with "/" they would meet. */
function nameOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId, subpath]);
}

const { passed, failed, skipped } = await runSessionStoreChecks(
  {
    capabilities: ["listSessions", "listSessionSummaries"],
    create: () => new MapSessionStore(new Map()), // a new map each time: stores of the suite share nothing
    reopen: ({ rows }) => new MapSessionStore(rows),
    connect: ({ rows }) => new MapSessionStore(rows),
  },
  (line) => console.log(line),
  { largeSessionEntries: 2_000 },
);
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
if (failed.length > 0) process.exitCode = 1;
