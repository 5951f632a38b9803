import { randomUUID } from "node:crypto";
import { SessionInUseError, SessionLeaseLostError, type SessionStoreOperation } from "./errors.ts";
import type { AcquireLeaseOptions, LeaseOptions, SessionLease } from "./session-lease.ts";
import type { SessionName } from "./session-store.ts";

/** What a store remembers of the last lease on a session, for {@link checkSessionLease}. */
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
  checkSessionLease("acquireSessionLease", session, last, undefined, now);
  return { owner: options.owner ?? randomUUID(), token: tokens.next(last), expiresAt: now + ttlOf(options) };
}

/** Makes the record of a lease that goes on. */
export function prolongLease(lease: SessionLease, last: LeaseRecord | undefined, options: LeaseOptions): LeaseRecord {
  checkSessionLease("renewSessionLease", lease, last, lease);
  return { owner: lease.owner, token: lease.token, expiresAt: Date.now() + ttlOf(options) };
}

/** Makes the record of a lease that was given back; `undefined` when there is nothing to give back. */
export function endLease(lease: SessionLease, last: LeaseRecord | undefined): LeaseRecord | undefined {
  return last !== undefined && isLastLease(lease, lease, last) ? { ...last, expiresAt: 0 } : undefined;
}

/**
 * Throws unless a session may be written, with a lease or without: the rule for a store of your own that has leases. A new lease is asked for
 * like a write without one, a renewal like a write with one.
 *
 * @param last What the store remembers of the last lease on the session, if there was one.
 * @param lease The lease that the caller holds, if any.
 * @param now The store's clock, in ms since 1970. Default: that of this process.
 * @throws {@link SessionInUseError} without a lease, while another is valid.
 * @throws {@link SessionLeaseLostError} when the lease is for another session, was released, or another was given out.
 */
export function checkSessionLease(
  operation: SessionStoreOperation,
  session: SessionName,
  last: LeaseRecord | undefined,
  lease: SessionLease | undefined,
  now: number = Date.now(),
): void {
  if (lease !== undefined) {
    if (!isLastLease(lease, session, last)) throw new SessionLeaseLostError(operation, session, lease.token);
  } else if (last !== undefined && last.expiresAt > now) {
    throw new SessionInUseError(operation, session, { by: "lease", owner: last.owner, expiresAt: last.expiresAt });
  }
}

/** Tells whether a lease is the last that was given out on a session, and was not released. */
export function isLastLease(lease: SessionLease, session: SessionName, last: LeaseRecord | undefined): boolean {
  const isForSession = lease.projectKey === session.projectKey && lease.sessionId === session.sessionId;
  return (
    isForSession &&
    last !== undefined &&
    last.expiresAt !== 0 &&
    last.token === lease.token &&
    last.owner === lease.owner
  );
}

/** The lease that a record stands for. */
export function toLease({ projectKey, sessionId }: SessionName, record: LeaseRecord): SessionLease {
  return { projectKey, sessionId, ...record };
}

function ttlOf(options: LeaseOptions): number {
  const ttlMs = options.ttlMs ?? defaultTtlMs;
  if (!(ttlMs > 0)) throw new RangeError(`ttlMs must be a positive number, not ${ttlMs}.`);
  return ttlMs;
}
