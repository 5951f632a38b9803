import type { SessionKey } from "@reins/messages";
import type { SessionStore } from "../store/session-store.ts";

/** An optional part of a store: one of the optional methods of the interface, or leases. */
export type StoreCapability = "listSessions" | "listSessionSummaries" | "delete" | "listSubkeys" | "leases";

/** How the suite gets at stores. Each function may be called several times in one check. */
export interface SessionStoreFactory<S extends SessionStore = SessionStore> {
  /** What the stores can do beyond `append` and `load`. The suite proves that they have just this, and leaves the other checks out. */
  readonly capabilities: readonly StoreCapability[];

  /** Makes a store with no sessions in it, which shares nothing with the others: another folder, prefix, schema or bucket. */
  create(): S | Promise<S>;

  /**
   * Closes a store and removes its data. Called once for each store that was not handed over to `reopen` or `crash`; of several clients of
   * the same data for each, so data that is gone already is fine.
   */
  destroy?(store: S): void | Promise<void>;

  /** Closes a store in good order and opens another on the same data. Absent when the data does not outlive the object. */
  reopen?(store: S): S | Promise<S>;

  /** Opens a second store on the same data, as another process would, while the first goes on. Absent when there is no such thing. */
  connect?(store: S): S | Promise<S>;

  /**
   * Ends a store as if its process had been killed in the middle of an append to the transcript, and opens another on the same data. What
   * a half-done append leaves must lie there, without a single whole entry: a torn line, an uncommitted row, an upload that was not
   * completed. Absent when an append is one atomic request.
   */
  crash?(store: S, key: SessionKey): S | Promise<S>;
}

/** How much the suite asks for. */
export interface ConformanceOptions {
  /** How long one check may take, in ms. Default 30,000; checks of large sessions get four times as much. */
  readonly timeoutMs?: number;
  /** Checks that are left out, by name, each with the reason. An unknown name is an error. */
  readonly skip?: Readonly<Record<string, string>>;
  /** How many entries the large session has. Default 50,000. */
  readonly largeSessionEntries?: number;
  /** How many sessions the large project has. Default 1,100: beyond the pages of 1,000 in which many servers answer. */
  readonly largeProjectSessions?: number;
}
