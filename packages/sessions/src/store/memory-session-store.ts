import type { SessionKey } from "@reins/messages";
import { copyEntries, copyStored } from "./copy-entries.ts";
import { isFresh, uuidOf } from "./entry-line.ts";
import type { SessionStoreOperation } from "./errors.ts";
import { foldSessionSummary } from "./fold-session-summary.ts";
import {
  checkSessionLease,
  endLease,
  grantLease,
  type LeaseRecord,
  LeaseTokens,
  prolongLease,
  toLease,
} from "./lease-record.ts";
import { checkProjectKey, checkSessionKey, sessionOf } from "./session-key.ts";
import type {
  AcquireLeaseOptions,
  LeaseOptions,
  LeasingSessionStore,
  SessionLease,
  SessionWriteOptions,
} from "./session-lease.ts";
import type { SessionName, SessionStoreEntry, SessionStoreRow, SessionSummaryEntry } from "./session-store.ts";

/** A transcript. Its entries are copies, and nobody outside gets hold of them. */
interface Transcript {
  readonly entries: SessionStoreEntry[];
  readonly uuids: Set<string>;
}

interface Session {
  main: Transcript | undefined;
  readonly subpaths: Map<string, Transcript>;
  summary: SessionSummaryEntry | undefined;
  lease: LeaseRecord | undefined;
}

/**
 * Keeps sessions in memory, for tests and short-lived hosts. They are gone with the object.
 *
 * Has every optional capability, leases included. An `append` is done when it returns: all of a batch or nothing. Entries are copied on
 * their way in and out.
 *
 * @example
 * const store = new MemorySessionStore();
 * query({ prompt, options: { sessionStore: store } });
 */
export class MemorySessionStore implements LeasingSessionStore {
  readonly #projects = new Map<string, Map<string, Session>>();
  readonly #tokens = new LeaseTokens();
  #lastMtime = 0;

  async append(key: SessionKey, entries: SessionStoreEntry[], options: SessionWriteOptions = {}): Promise<void> {
    checkSessionKey("append", key);
    const copies = copyEntries(key, entries);
    checkSessionLease("append", key, this.#find(key)?.lease, options.lease);
    if (copies.length === 0) return;
    const session = this.#findOrCreate(key);
    const transcript = transcriptToWrite(session, key.subpath);
    const fresh = copies.filter((entry) => isFresh(uuidOf(entry), transcript.uuids));
    if (fresh.length === 0) return;
    for (const entry of fresh) transcript.entries.push(entry);
    if (key.subpath !== undefined) return;
    session.summary = foldSessionSummary(session.summary, key, fresh, { mtime: this.#nextMtime() });
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    checkSessionKey("load", key);
    const transcript = transcriptOf(this.#find(key), key.subpath);
    return transcript === undefined ? null : copyStored(transcript.entries);
  }

  async listSessions(projectKey: string): Promise<SessionStoreRow[]> {
    return this.#summaries("listSessions", projectKey).map(({ sessionId, mtime }) => ({ sessionId, mtime }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return this.#summaries("listSessionSummaries", projectKey).map((summary) => structuredClone(summary));
  }

  async delete(key: SessionKey, options: SessionWriteOptions = {}): Promise<void> {
    checkSessionKey("delete", key);
    const session = this.#find(key);
    // The lease went with the session, so a delete that is repeated has none to show.
    if (session === undefined) return;
    checkSessionLease("delete", key, session.lease, options.lease);
    if (key.subpath === undefined) this.#remove(key);
    else session.subpaths.delete(key.subpath);
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    checkSessionKey("listSubkeys", sessionOf(key));
    return [...(this.#find(key)?.subpaths.keys() ?? [])];
  }

  /** @throws {@link SessionInUseError} while another lease on the session is valid. */
  async acquireSessionLease(name: SessionName, options: AcquireLeaseOptions = {}): Promise<SessionLease> {
    checkSessionKey("acquireSessionLease", sessionOf(name));
    const record = grantLease(name, this.#find(name)?.lease, this.#tokens, options);
    this.#findOrCreate(name).lease = record;
    return toLease(name, record);
  }

  /** @throws {@link SessionLeaseLostError} when the lease was released or another was given out. */
  async renewSessionLease(lease: SessionLease, options: LeaseOptions = {}): Promise<SessionLease> {
    const record = prolongLease(lease, this.#find(lease)?.lease, options);
    this.#findOrCreate(lease).lease = record;
    return toLease(lease, record);
  }

  async releaseSessionLease(lease: SessionLease): Promise<void> {
    const record = endLease(lease, this.#find(lease)?.lease);
    if (record !== undefined) this.#findOrCreate(lease).lease = record;
  }

  /** All entries of a transcript, or none: `load` for the assertions of a test. */
  getEntries(key: SessionKey): SessionStoreEntry[] {
    return copyStored(transcriptOf(this.#find(key), key.subpath)?.entries ?? []);
  }

  /** How many sessions have a main transcript. */
  get size(): number {
    let size = 0;
    for (const sessions of this.#projects.values()) {
      for (const session of sessions.values()) if (session.main !== undefined) size++;
    }
    return size;
  }

  /** Forgets everything, leases too. */
  clear(): void {
    this.#projects.clear();
  }

  #summaries(operation: SessionStoreOperation, projectKey: string): SessionSummaryEntry[] {
    checkProjectKey(operation, projectKey);
    const sessions = this.#projects.get(projectKey)?.values() ?? [];
    return [...sessions].flatMap(({ summary }) => (summary === undefined ? [] : [summary]));
  }

  /** Grows with each write, also within a millisecond and when the clock is set back. */
  #nextMtime(): number {
    this.#lastMtime = Math.max(Date.now(), this.#lastMtime + 1);
    return this.#lastMtime;
  }

  #find({ projectKey, sessionId }: SessionName): Session | undefined {
    return this.#projects.get(projectKey)?.get(sessionId);
  }

  #findOrCreate({ projectKey, sessionId }: SessionName): Session {
    const sessions = this.#projects.get(projectKey) ?? new Map<string, Session>();
    this.#projects.set(projectKey, sessions);
    const session = sessions.get(sessionId) ?? {
      main: undefined,
      subpaths: new Map(),
      summary: undefined,
      lease: undefined,
    };
    sessions.set(sessionId, session);
    return session;
  }

  #remove({ projectKey, sessionId }: SessionName): void {
    const sessions = this.#projects.get(projectKey);
    sessions?.delete(sessionId);
    if (sessions?.size === 0) this.#projects.delete(projectKey);
  }
}

function transcriptOf(session: Session | undefined, subpath: string | undefined): Transcript | undefined {
  return subpath === undefined ? session?.main : session?.subpaths.get(subpath);
}

function transcriptToWrite(session: Session, subpath: string | undefined): Transcript {
  const existing = transcriptOf(session, subpath);
  if (existing !== undefined) return existing;
  const created: Transcript = { entries: [], uuids: new Set() };
  if (subpath === undefined) session.main = created;
  else session.subpaths.set(subpath, created);
  return created;
}
