import {
  type AcquireLeaseOptions,
  checkSessionLease,
  type LeaseOptions,
  type LeasingSessionStore,
  type SessionKey,
  type SessionLease,
  type SessionName,
  type SessionStoreEntry,
  type SessionStoreOperation,
  type SessionStoreRow,
  type SessionSummaryEntry,
  type SessionWriteOptions,
} from "@reins/sessions";
import { appendEntries } from "./append-entries.ts";
import { toBatchParts } from "./batch.ts";
import { PostgresStoreError } from "./errors.ts";
import { type StoredKey, toProjectCondition, toStoredKey } from "./key.ts";
import { fromKeyText, toKeyText } from "./key-text.ts";
import { acquireLease, releaseLease, renewLease } from "./leases.ts";
import { loadEntries } from "./load-entries.ts";
import { type MigrationReport, migrateTables } from "./migrate.ts";
import type { PostgresPool } from "./postgres-pool.ts";
import { quoteLiteral } from "./quote.ts";
import { beginWithKnownSession, beginWithSession } from "./session-row.ts";
import { nameTables, type Tables } from "./tables.ts";
import { type Row, type Transaction, type TransactionMode, transact, untilAborted } from "./transactions.ts";
import { WriteOrder } from "./write-order.ts";

/** How a store uses Postgres. */
export interface PostgresSessionStoreOptions {
  /** A pool of `pg`. It stays yours: the store never ends it. */
  readonly pool: PostgresPool;
  /** Schema of the tables. Default: whatever the search path of the connections gives. */
  readonly schema?: string;
  /** What the names of tables begin with, so that several stores can share a schema. Default `"reins_"`. */
  readonly tablePrefix?: string;
  /**
   * Whose sessions these are. A store sees only those of its own tenant; each of its transactions sets `reins.tenant` to it, for policies
   * of row-level security. Default: sessions without a tenant.
   */
  readonly tenant?: string;
  /** How long one round trip may take, and the wait for a connection of the pool, in ms. Default 30,000. */
  readonly timeoutMs?: number;
}

/** What each call takes besides. */
export interface PostgresCallOptions {
  /** Gives the call up; it then rejects with the signal's reason. A write that was being committed may have been done. */
  readonly signal?: AbortSignal;
}

/** 30 s: the mirror of a live session gives up sooner, and Postgres has to let go of locks some time. */
const defaultTimeoutMs = 30_000;

/**
 * Keeps sessions in two tables of Postgres. Has every optional capability, leases included.
 *
 * - An append is one transaction: all of a batch or nothing, acknowledged when it is committed. With `synchronous_commit` on, the default
 *   of Postgres, nothing that was acknowledged is lost when the server dies.
 * - Any number of processes may write a session at once: they wait for each other at the session's row.
 * - Entries are kept as the text that `JSON.stringify` writes, so numbers, the order of fields, U+0000 and halves of surrogate pairs stay.
 * - A call that fails tells by {@link PostgresStoreError} whether a repetition may help, and whether something was changed. The store
 *   holds no connection, so the next call finds a server that is back.
 *
 * Call {@link PostgresSessionStore.migrate} once before the first use, and after each update of this package.
 *
 * @example
 * const store = new PostgresSessionStore({ pool: new Pool({ connectionString }) });
 * await store.migrate();
 * query({ prompt, options: { sessionStore: store } });
 */
export class PostgresSessionStore implements LeasingSessionStore {
  readonly #pool: PostgresPool;
  readonly #tables: Tables;
  /** As `toKeyText` gives it; empty without a tenant, since a tenant never is. */
  readonly #tenant: string;
  readonly #timeoutMs: number;
  readonly #writes = new WriteOrder();

  /** @throws TypeError or RangeError for an option that cannot be. */
  constructor(options: PostgresSessionStoreOptions) {
    const { pool, schema, tablePrefix = "reins_", tenant, timeoutMs = defaultTimeoutMs } = options;
    if (typeof pool?.connect !== "function") throw new TypeError("pool must be a Pool of pg.");
    if (tenant === "") throw new TypeError("tenant must not be empty. Leave it out for sessions without one.");
    if (!(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= 86_400_000)) {
      throw new RangeError("timeoutMs must be a whole number from 1 to 86,400,000.");
    }
    this.#pool = pool;
    this.#tables = nameTables(schema, tablePrefix);
    this.#tenant = toKeyText(tenant ?? "");
    this.#timeoutMs = timeoutMs;
    // A pool says with this event that an idle connection died, and without a listener that ends the process. It has dealt with it already.
    if (pool.listenerCount("error") === 0) pool.on("error", () => {});
  }

  /**
   * Makes the tables, or brings them up to date. Does nothing when they are; any number of processes may call it at once.
   *
   * Needs the right to create in the schema, and in the database when there is no such schema yet.
   *
   * @throws {@link PostgresMigrationError} when Postgres refuses, when the database is not in UTF-8, and when the tables are newer than this package.
   */
  migrate(options: PostgresCallOptions = {}): Promise<MigrationReport> {
    return migrateTables(this.#pool, this.#tables, { signal: options.signal, connectTimeoutMs: this.#timeoutMs });
  }

  /**
   * Adds entries in one transaction.
   *
   * @throws InvalidEntryError and InvalidSessionKeyError before anything is sent; SessionInUseError and SessionLeaseLostError when a lease
   * forbids it; {@link PostgresStoreError} when Postgres does.
   */
  async append(
    key: SessionKey,
    entries: SessionStoreEntry[],
    options: SessionWriteOptions & PostgresCallOptions = {},
  ): Promise<void> {
    const stored = toStoredKey("append", this.#tenant, key);
    const parts = toBatchParts(key, entries);
    if (parts.length === 0) return;
    // As it is now, like the entries.
    const own = { ...key };
    await this.#write("append", own, options.signal, async (transaction) => {
      const row = await beginWithSession(transaction, this.#tables, stored);
      checkSessionLease("append", own, row.lease, options.lease, row.now);
      await appendEntries(transaction, this.#tables, own, stored.subpath, row, parts);
    });
  }

  /** Reads in chunks of some 8 MB, all from one snapshot. */
  async load(key: SessionKey, options: PostgresCallOptions = {}): Promise<SessionStoreEntry[] | null> {
    const stored = toStoredKey("load", this.#tenant, key);
    return this.#transact("load", key, "snapshot", options.signal, (transaction) =>
      loadEntries(transaction, this.#tables, key, stored),
    );
  }

  /** One read by index, however many there are. */
  async listSessions(projectKey: string, options: PostgresCallOptions = {}): Promise<SessionStoreRow[]> {
    const rows = await this.#list("listSessions", projectKey, "session_id, mtime", options.signal);
    return rows.map((row) => ({ sessionId: fromKeyText(String(row["session_id"])), mtime: Number(row["mtime"]) }));
  }

  /** The same, with what was folded; no transcript is read. */
  async listSessionSummaries(projectKey: string, options: PostgresCallOptions = {}): Promise<SessionSummaryEntry[]> {
    const rows = await this.#list("listSessionSummaries", projectKey, "session_id, mtime, summary", options.signal);
    return rows.map((row) => ({
      sessionId: fromKeyText(String(row["session_id"])),
      mtime: Number(row["mtime"]),
      // Written by the fold.
      data: JSON.parse(String(row["summary"])) as Record<string, unknown>,
    }));
  }

  /** Deletes a session with its subpaths, or the one transcript that the subpath names. A lease that was given out on the session ends. */
  async delete(key: SessionKey, options: SessionWriteOptions & PostgresCallOptions = {}): Promise<void> {
    const stored = toStoredKey("delete", this.#tenant, key);
    const { sessions, entries } = this.#tables;
    const own = { ...key };
    await this.#write("delete", own, options.signal, async (transaction) => {
      const row = await beginWithKnownSession(transaction, this.#tables, stored);
      // The lease went with the session, so a delete that is repeated has none to show.
      if (row !== undefined) checkSessionLease("delete", own, row.lease, options.lease, row.now);
      if (row === undefined) await transaction.commit();
      else if (stored.subpath === "") await transaction.commit(`DELETE FROM ${sessions} WHERE id = ${row.id}`);
      else {
        const isSubpath = `session = ${row.id} AND subpath = ${quoteLiteral(stored.subpath)}`;
        await transaction.commit(`DELETE FROM ${entries} WHERE ${isSubpath}`);
      }
    });
  }

  /** Reads one entry of each subpath, however long it is. */
  async listSubkeys(
    key: { projectKey: string; sessionId: string },
    options: PostgresCallOptions = {},
  ): Promise<string[]> {
    const session = { projectKey: key.projectKey, sessionId: key.sessionId };
    const { isSession } = toStoredKey("listSubkeys", this.#tenant, session);
    const { sessions, entries } = this.#tables;
    // From each subpath to the next in the index: a step costs the same whether a transcript has one entry or a million.
    const after = (subpath: string) =>
      `(SELECT subpath FROM ${entries} WHERE session = (SELECT id FROM this) AND subpath > ${subpath} ORDER BY subpath LIMIT 1)`;
    const rows = await this.#transact("listSubkeys", session, "snapshot", options.signal, (transaction) =>
      transaction.only(`WITH RECURSIVE this AS MATERIALIZED (SELECT id FROM ${sessions} WHERE ${isSession}),
        found (subpath) AS (SELECT ${after("''")} UNION ALL SELECT ${after("found.subpath")} FROM found WHERE subpath IS NOT NULL)
        SELECT subpath FROM found WHERE subpath IS NOT NULL`),
    );
    return rows.map((row) => fromKeyText(String(row["subpath"])));
  }

  /**
   * Reserves a session, which need not exist.
   *
   * @throws SessionInUseError while another lease on it is valid.
   */
  async acquireSessionLease(
    session: SessionName,
    options: AcquireLeaseOptions & PostgresCallOptions = {},
  ): Promise<SessionLease> {
    return this.#lease("acquireSessionLease", session, options.signal, (transaction, name, stored) =>
      acquireLease(transaction, this.#tables, name, stored, options),
    );
  }

  /**
   * Prolongs a lease, counted from now.
   *
   * @throws SessionLeaseLostError when it was released or another was given out, or the session was deleted.
   */
  async renewSessionLease(
    lease: SessionLease,
    options: LeaseOptions & PostgresCallOptions = {},
  ): Promise<SessionLease> {
    return this.#lease("renewSessionLease", lease, options.signal, (transaction, name, stored) =>
      renewLease(transaction, this.#tables, name, stored, lease, options),
    );
  }

  /** Gives the session free. A lease that is lost already is left alone. */
  async releaseSessionLease(lease: SessionLease, options: PostgresCallOptions = {}): Promise<void> {
    return this.#lease("releaseSessionLease", lease, options.signal, (transaction, name, stored) =>
      releaseLease(transaction, this.#tables, name, stored, lease),
    );
  }

  #lease<T>(
    operation: SessionStoreOperation,
    { projectKey, sessionId }: SessionName,
    signal: AbortSignal | undefined,
    task: (transaction: Transaction, name: SessionName, stored: StoredKey) => Promise<T>,
  ): Promise<T> {
    const name = { projectKey, sessionId };
    const stored = toStoredKey(operation, this.#tenant, name);
    return this.#write(operation, name, signal, (transaction) => task(transaction, name, stored));
  }

  async #list(
    operation: SessionStoreOperation,
    projectKey: string,
    columns: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    const isProject = toProjectCondition(operation, this.#tenant, projectKey);
    return this.#transact(operation, { projectKey }, "snapshot", signal, (transaction) =>
      transaction.only(`SELECT ${columns} FROM ${this.#tables.sessions} WHERE ${isProject} AND mtime IS NOT NULL`),
    );
  }

  #write<T>(
    operation: SessionStoreOperation,
    key: SessionKey,
    signal: AbortSignal | undefined,
    task: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const written = this.#writes.run(key, () => this.#transact(operation, key, "read committed", signal, task));
    // Also while it waits for its turn.
    return signal === undefined ? written : untilAborted(written, signal);
  }

  #transact<T>(
    operation: SessionStoreOperation,
    key: SessionKey | { readonly projectKey: string },
    isolation: TransactionMode["isolation"],
    signal: AbortSignal | undefined,
    task: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const tenant = this.#tenant === "" ? undefined : this.#tenant;
    return transact(
      this.#pool,
      { isolation, timeoutMs: this.#timeoutMs, connectTimeoutMs: this.#timeoutMs, tenant },
      signal,
      task,
      ({ error, isInDoubt }) => new PostgresStoreError(operation, key, error, isInDoubt ? "unknown" : "none"),
    );
  }
}
