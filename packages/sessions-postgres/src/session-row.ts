import {
  SessionInUseError,
  type SessionLease,
  SessionLeaseLostError,
  type SessionName,
  type SessionStoreOperation,
} from "@reins/sessions";
import type { StoredKey } from "./key.ts";
import { fromKeyText } from "./key-text.ts";
import type { Tables } from "./tables.ts";
import type { Row, Transaction } from "./transactions.ts";

/** The row of a session, locked until the transaction ends: whoever writes the session waits. */
export interface SessionRow {
  /** Digits. */
  readonly id: string;
  /** JSON; `undefined` without a main transcript. */
  readonly summary: string | undefined;
  /** What `mtime` is after a write: now, or 1 ms after the last when the clock has not moved on. */
  readonly nextMtime: number;
  /** The server's clock, in ms since 1970. */
  readonly now: number;
  /** The last lease, if it was not released. */
  readonly lease: { readonly owner: string; readonly token: number; readonly expiresAt: number } | undefined;
}

/** Begins a transaction and locks the row of a session, if there is one. One round trip. */
export async function beginWithKnownSession(
  transaction: Transaction,
  tables: Tables,
  key: StoredKey,
): Promise<SessionRow | undefined> {
  const [row] = await transaction.begin(selectForUpdate(tables, key));
  return row === undefined ? undefined : toSessionRow(row);
}

/** The same, but makes the row when there is none, which takes a round trip more. */
export async function beginWithSession(transaction: Transaction, tables: Tables, key: StoredKey): Promise<SessionRow> {
  const known = await beginWithKnownSession(transaction, tables, key);
  if (known !== undefined) return known;
  const insert = `INSERT INTO ${tables.sessions} (tenant, project_key, session_id) VALUES (${key.values}) ON CONFLICT DO NOTHING`;
  // Others may delete it between the two statements; whoever waits for the row then finds none.
  for (;;) {
    const [row] = await transaction.query(`${insert}; ${selectForUpdate(tables, key)}`);
    if (row !== undefined) return toSessionRow(row);
  }
}

/** Throws unless a write may be done, with a lease or without. */
export function checkWrite(
  operation: SessionStoreOperation,
  session: SessionName,
  row: SessionRow | undefined,
  lease: SessionLease | undefined,
): void {
  if (lease === undefined) refuseWhileLeased(operation, session, row);
  else if (!isCurrent(lease, session, row)) throw new SessionLeaseLostError(operation, session, lease.token);
}

/** Throws while a lease on the session is valid. */
export function refuseWhileLeased(
  operation: SessionStoreOperation,
  session: SessionName,
  row: SessionRow | undefined,
): void {
  if (row?.lease === undefined || row.lease.expiresAt <= row.now) return;
  throw new SessionInUseError(operation, session, { by: "lease", ...row.lease });
}

/** Tells whether a lease is the last that was given out on the session, and was not released. */
export function isCurrent(lease: SessionLease, session: SessionName, row: SessionRow | undefined): boolean {
  return (
    lease.projectKey === session.projectKey &&
    lease.sessionId === session.sessionId &&
    row?.lease?.token === lease.token &&
    row.lease.owner === lease.owner
  );
}

function selectForUpdate(tables: Tables, key: StoredKey): string {
  const clock = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
  return `SELECT id, summary, ${clock} AS now, greatest(${clock}, mtime + 1) AS next_mtime,
    lease_owner, lease_token, lease_expires FROM ${tables.sessions} WHERE ${key.isSession} FOR UPDATE`;
}

function toSessionRow(row: Row): SessionRow {
  const owner = row["lease_owner"];
  const summary = row["summary"];
  return {
    id: String(row["id"]),
    summary: typeof summary === "string" ? summary : undefined,
    nextMtime: Number(row["next_mtime"]),
    now: Number(row["now"]),
    lease:
      typeof owner === "string"
        ? {
            owner: fromKeyText(owner),
            token: Number(row["lease_token"]),
            expiresAt: Number(row["lease_expires"]),
          }
        : undefined,
  };
}
