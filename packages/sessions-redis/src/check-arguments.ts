import {
  type SessionLease,
  SessionLeaseLostError,
  type SessionName,
  type SessionStoreOperation,
} from "@reins/sessions";

/** Throws SessionLeaseLostError for the lease of another session: it gives no right to this one. */
export function checkLeaseIsFor(
  operation: SessionStoreOperation,
  { projectKey, sessionId }: SessionName,
  lease: SessionLease | undefined,
): void {
  if (lease === undefined || (lease.projectKey === projectKey && lease.sessionId === sessionId)) return;
  throw new SessionLeaseLostError(operation, { projectKey, sessionId }, lease.token);
}

/** Throws RangeError unless it is a number above 0 and at most `max`. */
export function checkPositive(name: string, value: number, max: number): void {
  if (!(value > 0 && value <= max)) throw new RangeError(`${name} must be above 0 and at most ${max}, not ${value}.`);
}
