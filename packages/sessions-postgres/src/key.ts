import {
  checkProjectKey,
  checkSessionKey,
  type SessionKey,
  SessionStoreError,
  type SessionStoreOperation,
} from "@reins/sessions";
import { toKeyText } from "./key-text.ts";
import { quoteLiteral } from "./quote.ts";

/** A row of an index takes 2,704 bytes at most. */
const maxSessionBytes = 2_500;
const maxSubpathBytes = 2_000;

/** A key as the columns hold it. */
export interface StoredKey {
  /** Condition of SQL that finds the session's row. */
  readonly isSession: string;
  /** Values of `tenant`, `project_key` and `session_id`, as SQL. */
  readonly values: string;
  /** Empty for the main transcript: a subpath never is. */
  readonly subpath: string;
}

/**
 * Checks a key and writes it as text of SQL.
 *
 * @param tenant As `toKeyText` gives it.
 * @throws InvalidSessionKeyError when a part is missing or empty, SessionStoreError when the key is too long for an index.
 */
export function toStoredKey(operation: SessionStoreOperation, tenant: string, key: SessionKey): StoredKey {
  checkSessionKey(operation, key);
  const projectKey = toKeyText(key.projectKey);
  const sessionId = toKeyText(key.sessionId);
  const subpath = key.subpath === undefined ? "" : toKeyText(key.subpath);
  checkLength(operation, key, tenant + projectKey + sessionId, maxSessionBytes);
  checkLength(operation, key, subpath, maxSubpathBytes);
  const values = [tenant, projectKey, sessionId].map(quoteLiteral);
  return {
    isSession: `tenant = ${values[0]} AND project_key = ${values[1]} AND session_id = ${values[2]}`,
    values: values.join(", "),
    subpath,
  };
}

/** Condition of SQL that finds the rows of a project. */
export function toProjectCondition(operation: SessionStoreOperation, tenant: string, projectKey: string): string {
  checkProjectKey(operation, projectKey);
  return `tenant = ${quoteLiteral(tenant)} AND project_key = ${quoteLiteral(toKeyText(projectKey))}`;
}

function checkLength(operation: SessionStoreOperation, key: SessionKey, text: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return;
  throw new SessionStoreError(
    `${operation} was refused: the key has ${bytes} bytes, more than the ${maxBytes} that fit into an index of Postgres. Use shorter names.`,
    { operation, key },
  );
}
