import { randomUUID } from "node:crypto";
import {
  type AcquireLeaseOptions,
  checkSessionLease,
  isLastLease,
  type LeaseOptions,
  type SessionLease,
  SessionLeaseLostError,
  type SessionName,
} from "@reins/sessions";
import type { StoredKey } from "./key.ts";
import { toKeyText } from "./key-text.ts";
import { quoteLiteral } from "./quote.ts";
import { beginWithKnownSession, beginWithSession } from "./session-row.ts";
import type { Tables } from "./tables.ts";
import type { Transaction } from "./transactions.ts";

/** 30 s: a turn renews it several times, and a worker that died does not block its session for long. */
const defaultTtlMs = 30_000;

/** Reserves a session, and commits. */
export async function acquireLease(
  transaction: Transaction,
  tables: Tables,
  session: SessionName,
  key: StoredKey,
  options: AcquireLeaseOptions,
): Promise<SessionLease> {
  const ttlMs = ttlOf(options);
  const owner = options.owner ?? randomUUID();
  const row = await beginWithSession(transaction, tables, key);
  checkSessionLease("acquireSessionLease", session, row.lease, undefined, row.now);
  const expiresAt = row.now + ttlMs;
  const [granted] = await transaction.commit(`UPDATE ${tables.sessions} SET updated_at = now(),
    lease_owner = ${quoteLiteral(toKeyText(owner))}, lease_expires = ${expiresAt},
    lease_token = nextval(${quoteLiteral(tables.leaseTokens)}::regclass) WHERE id = ${row.id} RETURNING lease_token`);
  return { ...session, owner, token: Number(granted?.["lease_token"]), expiresAt };
}

/** Prolongs a lease that is the last one on its session, and commits. */
export async function renewLease(
  transaction: Transaction,
  tables: Tables,
  session: SessionName,
  key: StoredKey,
  lease: SessionLease,
  options: LeaseOptions,
): Promise<SessionLease> {
  const ttlMs = ttlOf(options);
  const row = await beginWithKnownSession(transaction, tables, key);
  if (row === undefined || !isLastLease(lease, session, row.lease)) {
    throw new SessionLeaseLostError("renewSessionLease", session, lease.token);
  }
  const expiresAt = row.now + ttlMs;
  await transaction.commit(
    `UPDATE ${tables.sessions} SET lease_expires = ${expiresAt}, updated_at = now() WHERE id = ${row.id}`,
  );
  return { ...session, owner: lease.owner, token: lease.token, expiresAt };
}

/** Ends a lease if it is the last one on its session, and commits. */
export async function releaseLease(
  transaction: Transaction,
  tables: Tables,
  session: SessionName,
  key: StoredKey,
  lease: SessionLease,
): Promise<void> {
  const row = await beginWithKnownSession(transaction, tables, key);
  const isHeld = row !== undefined && isLastLease(lease, session, row.lease);
  const free = "lease_owner = NULL, lease_token = NULL, lease_expires = NULL";
  await transaction.commit(isHeld ? `UPDATE ${tables.sessions} SET ${free} WHERE id = ${row.id}` : "");
}

function ttlOf(options: LeaseOptions): number {
  const ttlMs = options.ttlMs ?? defaultTtlMs;
  if (!(ttlMs > 0 && ttlMs <= Number.MAX_SAFE_INTEGER / 2)) {
    throw new RangeError(`ttlMs must be a positive number, not ${ttlMs}.`);
  }
  return Math.ceil(ttlMs);
}
