import {
  InvalidSessionKeyError,
  type SessionKey,
  type SessionLease,
  SessionLeaseLostError,
  type SessionName,
  type SessionStoreOperation,
} from "@reins/sessions";

/** Throws InvalidSessionKeyError unless each part that a key must have is a non-empty string. */
export function checkKey(operation: SessionStoreOperation, key: SessionKey): void {
  checkProjectKey(operation, key.projectKey);
  checkPart(operation, "sessionId", key.sessionId);
  if (key.subpath !== undefined) checkPart(operation, "subpath", key.subpath);
}

/** Throws InvalidSessionKeyError unless it is a non-empty string. */
export function checkProjectKey(operation: SessionStoreOperation, projectKey: string): void {
  checkPart(operation, "projectKey", projectKey);
}

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

function checkPart(
  operation: SessionStoreOperation,
  part: "projectKey" | "sessionId" | "subpath",
  value: unknown,
): void {
  if (typeof value !== "string" || value === "") throw new InvalidSessionKeyError(operation, part, value);
}
