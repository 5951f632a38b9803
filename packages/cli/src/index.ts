export { StorePackageError, StoreUrlError } from "./store/errors.ts";
export { type OpenSessionStoreOptions, openSessionStore } from "./store/open-session-store.ts";
export type { OpenedSessionStore } from "./store/opened-session-store.ts";
