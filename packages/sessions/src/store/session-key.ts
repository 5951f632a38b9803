import type { SessionKey } from "@reins/messages";
import { InvalidSessionKeyError, type SessionStoreOperation } from "./errors.ts";
import type { SessionName } from "./session-store.ts";

/**
 * What a store does first: checks that each part of a key is a non-empty string, whatever the types say.
 *
 * @throws {@link InvalidSessionKeyError} else.
 */
export function checkSessionKey(operation: SessionStoreOperation, key: SessionKey): void {
  checkPart(operation, "projectKey", key.projectKey);
  checkPart(operation, "sessionId", key.sessionId);
  if (key.subpath !== undefined) checkPart(operation, "subpath", key.subpath);
}

/**
 * The same for a call that has the project's key alone.
 *
 * @throws {@link InvalidSessionKeyError} unless it is a non-empty string.
 */
export function checkProjectKey(operation: SessionStoreOperation, projectKey: string): void {
  checkPart(operation, "projectKey", projectKey);
}

/** The session that a transcript belongs to. */
export function sessionOf(key: SessionKey): SessionName {
  return { projectKey: key.projectKey, sessionId: key.sessionId };
}

function checkPart(
  operation: SessionStoreOperation,
  part: "projectKey" | "sessionId" | "subpath",
  value: unknown,
): void {
  if (typeof value !== "string" || value === "") throw new InvalidSessionKeyError(operation, part, value);
}
