import type { SessionKey } from "@reins/messages";

/** A line of a transcript as a store keeps it: a JSON object with a `type`. Stores never interpret the rest. */
export interface SessionStoreEntry {
  type: string;
  /** Names the entry within its transcript. A fork of the CLI repeats it under another session, so it is never global. */
  uuid?: string;
  /** ISO 8601. */
  timestamp?: string;
  [field: string]: unknown;
}

/** Names a whole session: a {@link SessionKey} without subpath. */
export interface SessionName {
  readonly projectKey: string;
  readonly sessionId: string;
}

/** One row of {@link SessionStore.listSessions}. */
export interface SessionStoreRow {
  sessionId: string;
  /** When the main transcript was last written: whole milliseconds since 1970, on the store's clock. */
  mtime: number;
}

/** What a store keeps beside a main transcript, so that lists need not load it. Made by `foldSessionSummary`. */
export interface SessionSummaryEntry {
  sessionId: string;
  /** As in {@link SessionStoreRow}, on the same clock. Never the timestamp of an entry. */
  mtime: number;
  /** State of the fold. Stores keep it as it is. */
  data: Record<string, unknown>;
}

/**
 * Keeps transcripts somewhere else than in the CLI's folder.
 *
 * This is the shape of the official SDK's `SessionStore`: a store written for one works with the other. A method that a store does not
 * have is absent, not a function that throws. `@reins/sessions/conformance` proves a store.
 *
 * @see contracts/session-store.md
 */
export interface SessionStore {
  /**
   * Adds entries at the end of a transcript, which begins to exist with its first entry.
   *
   * - Calls of one process are stored in the order of the calls; those of several processes in the order in which they commit.
   * - Entries are JSON values and are kept as they are at the time of the call.
   * - Within one key an entry with a known `uuid` is not stored again; one without `uuid` always is.
   * - No entries: nothing happens and nothing is created.
   * - After a rejection the caller may try again, and some of the entries may have been stored.
   */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;

  /** Returns all entries of a transcript in order, deep-equal to what was appended; `null` for one that was never written. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;

  /** Lists the sessions of a project that have a main transcript, in any order. Unknown projects have none. */
  listSessions?(projectKey: string): Promise<SessionStoreRow[]>;

  /**
   * Lists the summaries of the sessions that {@link SessionStore.listSessions} lists, each folded from the whole main transcript.
   * The store serialises read, fold and write per session.
   */
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;

  /** Deletes a session with its subpaths and its summary, or the one transcript that the subpath names. Unknown keys are fine. */
  delete?(key: SessionKey): Promise<void>;

  /** Lists the subpaths of a session, in any order, without the main transcript. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}
