import { randomUUID } from "node:crypto";
import { SessionInUseError, SessionLeaseLostError, type SessionStoreOperation } from "./errors.ts";
import type { AcquireLeaseOptions, LeaseOptions, SessionLease } from "./session-lease.ts";
import type { SessionName } from "./session-store.ts";

/** What a store remembers of the last lease on a session. */
export interface LeaseRecord {
  readonly owner: string;
  readonly token: number;
  /** 0 when it was released. */
  readonly expiresAt: number;
}

/** 30 s: a turn renews it several times, and a worker that died does not block its session for long. */
const defaultTtlMs = 30_000;

/** Gives out the tokens of a store. The clock makes them grow even when a deletion took the record of the last one along. */
export class LeaseTokens {
  #last = 0;

  next(last: LeaseRecord | undefined): number {
    this.#last = Math.max(this.#last + 1, (last?.token ?? 0) + 1, Date.now());
    return this.#last;
  }
}

/** Makes the next lease on a session. */
export function grantLease(
  session: SessionName,
  last: LeaseRecord | undefined,
  tokens: LeaseTokens,
  options: AcquireLeaseOptions,
): LeaseRecord {
  const now = Date.now();
  refuseWhileHeld("acquireSessionLease", session, last, now);
  return { owner: options.owner ?? randomUUID(), token: tokens.next(last), expiresAt: now + ttlOf(options) };
}

/** Makes the record of a lease that goes on. */
export function prolongLease(lease: SessionLease, last: LeaseRecord | undefined, options: LeaseOptions): LeaseRecord {
  refuseLost("renewSessionLease", lease, lease, last);
  return { owner: lease.owner, token: lease.token, expiresAt: Date.now() + ttlOf(options) };
}

/** Makes the record of a lease that was given back; `undefined` when there is nothing to give back. */
export function endLease(lease: SessionLease, last: LeaseRecord | undefined): LeaseRecord | undefined {
  return last !== undefined && isCurrent(lease, last) ? { ...last, expiresAt: 0 } : undefined;
}

/** Throws unless a write may be done, with a lease or without. */
export function checkWrite(
  operation: SessionStoreOperation,
  session: SessionName,
  last: LeaseRecord | undefined,
  lease: SessionLease | undefined,
): void {
  if (lease === undefined) refuseWhileHeld(operation, session, last, Date.now());
  else refuseLost(operation, session, lease, last);
}

/** The lease that a record stands for. */
export function toLease({ projectKey, sessionId }: SessionName, record: LeaseRecord): SessionLease {
  return { projectKey, sessionId, ...record };
}

function refuseWhileHeld(
  operation: SessionStoreOperation,
  session: SessionName,
  last: LeaseRecord | undefined,
  now: number,
): void {
  if (last === undefined || last.expiresAt <= now) return;
  throw new SessionInUseError(operation, session, { by: "lease", owner: last.owner, expiresAt: last.expiresAt });
}

function refuseLost(
  operation: SessionStoreOperation,
  session: SessionName,
  lease: SessionLease,
  last: LeaseRecord | undefined,
): void {
  const isForSession = lease.projectKey === session.projectKey && lease.sessionId === session.sessionId;
  if (isForSession && last !== undefined && isCurrent(lease, last)) return;
  throw new SessionLeaseLostError(operation, session, lease.token);
}

function isCurrent(lease: SessionLease, last: LeaseRecord): boolean {
  return last.expiresAt !== 0 && last.token === lease.token && last.owner === lease.owner;
}

function ttlOf(options: LeaseOptions): number {
  const ttlMs = options.ttlMs ?? defaultTtlMs;
  if (!(ttlMs > 0)) throw new RangeError(`ttlMs must be a positive number, not ${ttlMs}.`);
  return ttlMs;
}
