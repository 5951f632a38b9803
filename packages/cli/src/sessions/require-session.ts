import { getSessionInfo, getSessionMessages, type SessionLocation, SessionNotFoundError } from "@reins/sessions";

/**
 * Makes sure that there is such a session, where functions of `@reins/sessions` would find nothing to show, or begin one in a store.
 *
 * @throws SessionNotFoundError when there is none.
 */
export async function requireSession(sessionId: string, location: SessionLocation): Promise<void> {
  if ((await getSessionInfo(sessionId, location)) !== undefined) return;
  // One that a list would not show, such as that of a subagent, has messages all the same.
  if ((await getSessionMessages(sessionId, { ...location, limit: 1 })).length > 0) return;
  const { dir, sessionStore } = location;
  const where = sessionStore !== undefined ? " in the store" : dir === undefined ? "" : ` in the project of ${dir}`;
  throw new SessionNotFoundError(sessionId, where, dir);
}
