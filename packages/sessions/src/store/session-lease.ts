import type { SessionKey } from "@reins/messages";
import type { SessionName, SessionStore, SessionStoreEntry } from "./session-store.ts";

/**
 * The right of one worker to write a session, for a time. Plain data: it may be sent to another process and used there.
 *
 * A lease that ran out is lost only when somebody else acquires the session; until then it can be renewed, and writes with it pass.
 */
export interface SessionLease extends SessionName {
  /** Who has it, for a reader. */
  readonly owner: string;
  /** Fencing token: grows with each lease that is given out on a session, also when the session was deleted in between. */
  readonly token: number;
  /** When others may acquire the session, in ms since 1970 on the store's clock. */
  readonly expiresAt: number;
}

/** How a lease is asked for. */
export interface LeaseOptions {
  /** For how long, in ms. Default 30,000. Renew at a third of it. */
  readonly ttlMs?: number;
}

/** How a lease is asked for at first. */
export interface AcquireLeaseOptions extends LeaseOptions {
  /** Who asks; shown to others. Default a random UUID. */
  readonly owner?: string;
}

/** How a write proves that it may be done. */
export interface SessionWriteOptions {
  /** The lease that the writer holds. */
  readonly lease?: SessionLease;
}

/**
 * A store that can reserve sessions, so that two workers never write one session at once. An extension of the official shape; callers
 * that do not know it use the store as before.
 *
 * While a lease is valid, writes (append and delete, subpaths included) without it are refused with `SessionInUseError`. Writes with a
 * lease that was released, or behind which another was given out, are refused with `SessionLeaseLostError`, whoever holds the session now. To delete what
 * is not there succeeds with any lease: a lease may go with its session, and who did not learn what became of a delete repeats it.
 */
export interface LeasingSessionStore extends SessionStore {
  append(key: SessionKey, entries: SessionStoreEntry[], options?: SessionWriteOptions): Promise<void>;
  delete?(key: SessionKey, options?: SessionWriteOptions): Promise<void>;

  /**
   * Reserves a session, which need not exist.
   *
   * @throws SessionInUseError while another lease on it is valid.
   */
  acquireSessionLease(session: SessionName, options?: AcquireLeaseOptions): Promise<SessionLease>;

  /**
   * Prolongs a lease, counted from now. Returns it with its new end; the old object stays usable for writes.
   *
   * @throws SessionLeaseLostError when it was released or another lease was given out.
   */
  renewSessionLease(lease: SessionLease, options?: LeaseOptions): Promise<SessionLease>;

  /** Gives the session free. A lease that is lost already is left alone. */
  releaseSessionLease(lease: SessionLease): Promise<void>;
}

/** Tells whether a store can reserve sessions. */
export function isLeasingStore(store: SessionStore): store is LeasingSessionStore {
  const methods: (keyof LeasingSessionStore)[] = ["acquireSessionLease", "renewSessionLease", "releaseSessionLease"];
  // The type of a plain store has none of the three, which is what is asked here.
  return methods.every((method) => typeof (store as Partial<LeasingSessionStore>)[method] === "function");
}

/**
 * Makes a view of a store whose writes to the leased session carry the lease. Other sessions, such as the one that `/clear` begins, are
 * written without one.
 *
 * @example
 * const lease = await store.acquireSessionLease(session);
 * query({ prompt, options: { sessionStore: withSessionLease(store, lease), resume: session.sessionId } });
 */
export function withSessionLease(store: LeasingSessionStore, lease: SessionLease): SessionStore {
  const optionsFor = (key: SessionKey) =>
    key.projectKey === lease.projectKey && key.sessionId === lease.sessionId ? { lease } : {};
  return {
    append: (key, entries) => store.append(key, entries, optionsFor(key)),
    load: (key) => store.load(key),
    ...(store.listSessions && { listSessions: store.listSessions.bind(store) }),
    ...(store.listSessionSummaries && { listSessionSummaries: store.listSessionSummaries.bind(store) }),
    ...(store.listSubkeys && { listSubkeys: store.listSubkeys.bind(store) }),
    ...(store.delete && { delete: (key) => store.delete?.(key, optionsFor(key)) ?? Promise.resolve() }),
  };
}
