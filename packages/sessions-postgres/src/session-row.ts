import type { LeaseRecord } from "@reins/sessions";
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
  readonly lease: LeaseRecord | undefined;
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
