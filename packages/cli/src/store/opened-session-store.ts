import type { SessionStore } from "@reins/sessions";

/** A session store that was opened by its address. */
export interface OpenedSessionStore extends AsyncDisposable {
  readonly store: SessionStore;
  /** Closes the store and its connections. Never rejects. */
  close(): Promise<void>;
}

/** A store that is closed once, whatever closing it comes to. */
export function openedStore(store: SessionStore, close: () => unknown): OpenedSessionStore {
  let closed: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => {
    closed ??= (async () => {
      await close();
    })().catch(() => {});
    return closed;
  };
  return { store, close: closeOnce, [Symbol.asyncDispose]: closeOnce };
}
