import type { SessionKey } from "@reins/messages";
import type { SessionStore } from "../store/session-store.ts";
import type { StoreCapability } from "./factory.ts";

/** What a check needs of the factory beyond stores. */
export type FactoryCapability = "reopen" | "connect" | "crash";

/** Sizes that a run asks for. */
export interface CheckSizes {
  readonly largeSessionEntries: number;
  readonly largeProjectSessions: number;
}

/** What a running check works with. Whatever it opens is destroyed when it has ended. */
export interface CheckContext {
  readonly capabilities: ReadonlySet<StoreCapability>;
  readonly sizes: CheckSizes;
  create(): Promise<SessionStore>;
  reopen(store: SessionStore): Promise<SessionStore>;
  connect(store: SessionStore): Promise<SessionStore>;
  crash(store: SessionStore, key: SessionKey): Promise<SessionStore>;
}

/** One thing that a store must do. */
export interface CheckDefinition {
  readonly name: string;
  /** The behaviour, as a sentence. */
  readonly title: string;
  readonly needs?: readonly (StoreCapability | FactoryCapability)[];
  readonly isLarge?: boolean;
  run(context: CheckContext): Promise<void>;
}
