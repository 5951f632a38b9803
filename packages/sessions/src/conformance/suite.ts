import type { SessionKey } from "@reins/messages";
import { isLeasingStore } from "../store/session-lease.ts";
import type { SessionStore } from "../store/session-store.ts";
import { ensure, fail } from "./assertions.ts";
import { basicChecks } from "./basic-checks.ts";
import type { CheckContext, CheckDefinition, CheckSizes, FactoryCapability } from "./check.ts";
import { concurrencyChecks } from "./concurrency-checks.ts";
import { ConformanceError } from "./conformance-error.ts";
import type { ConformanceOptions, SessionStoreFactory, StoreCapability } from "./factory.ts";
import { keyChecks } from "./key-checks.ts";
import { leaseChecks } from "./lease-checks.ts";
import { listChecks } from "./list-checks.ts";
import { restartChecks } from "./restart-checks.ts";
import { sizeChecks } from "./size-checks.ts";
import { summaryChecks } from "./summary-checks.ts";
import { uuidChecks } from "./uuid-checks.ts";
import { valueChecks } from "./value-checks.ts";

/** One check of a store, for a test runner to run. */
export interface SessionStoreCheck {
  /** Stable and unique, such as `"retry-stores-once"`. */
  readonly name: string;
  /** What the store does, as a sentence. */
  readonly title: string;
  /** Why the check does not apply; absent when it does. */
  readonly skip?: string;
  /** Runs the check on stores of its own. Rejects with a {@link ConformanceError} that says what the store did; also when it is one to skip. */
  run(): Promise<void>;
}

/** Large checks write some hundred times as much as the others. */
const largeFactor = 4;

const optionalMethods = ["listSessions", "listSessionSummaries", "delete", "listSubkeys"] as const;

const capabilityCheck: CheckDefinition = {
  name: "capabilities",
  title: "has the optional methods that are declared, and no others",
  async run({ create, capabilities }) {
    const store = await create();
    for (const method of optionalMethods) {
      const kind = typeof store[method];
      const expected = capabilities.has(method) ? "function" : "undefined";
      ensure(kind === expected, `${method} is ${kind}, but it is ${capabilities.has(method) ? "" : "not "}declared.`);
    }
    const canLease = isLeasingStore(store);
    ensure(
      canLease === capabilities.has("leases"),
      `leases are ${canLease ? "there, but not declared" : "declared, but not there"}.`,
    );
  },
};

/** In the order in which a new store is best mended. */
const definitions: readonly CheckDefinition[] = [
  capabilityCheck,
  ...basicChecks,
  ...uuidChecks,
  ...listChecks,
  ...summaryChecks,
  ...valueChecks,
  ...keyChecks,
  ...concurrencyChecks,
  ...restartChecks,
  ...leaseChecks,
  ...sizeChecks,
];

/**
 * Gives the checks that prove a session store, for any test runner.
 *
 * @throws RangeError when `options.skip` names a check that does not exist.
 * @example
 * for (const check of sessionStoreChecks(factory)) {
 *   test(`${check.name}: ${check.title}`, { skip: check.skip ?? false }, () => check.run());
 * }
 */
export function sessionStoreChecks<S extends SessionStore>(
  factory: SessionStoreFactory<S>,
  options: ConformanceOptions = {},
): SessionStoreCheck[] {
  const { timeoutMs = 30_000, skip = {}, largeSessionEntries = 50_000, largeProjectSessions = 1_100 } = options;
  for (const name of Object.keys(skip)) {
    if (!definitions.some((definition) => definition.name === name))
      throw new RangeError(
        `There is no check named ${name}. The name of a check is what a report has before the colon.`,
      );
  }
  const sizes = { largeSessionEntries, largeProjectSessions };
  return definitions.map((definition) => {
    const { name, title, isLarge = false } = definition;
    const reason = skip[name] ?? missingNeed(definition, factory);
    const limitMs = isLarge ? timeoutMs * largeFactor : timeoutMs;
    if (reason === undefined) return { name, title, run: () => runCheck(definition, factory, sizes, limitMs) };
    return { name, title, skip: reason, run: async () => fail(`The check ${name} is left out: ${reason}`) };
  });
}

function missingNeed<S extends SessionStore>(
  { needs = [] }: CheckDefinition,
  factory: SessionStoreFactory<S>,
): string | undefined {
  const missing = needs.filter((need) =>
    isFactoryCapability(need) ? factory[need] === undefined : !factory.capabilities.includes(need),
  );
  return missing.length === 0 ? undefined : missing.map((need) => reasons[need]).join(", ");
}

const reasons: Readonly<Record<StoreCapability | FactoryCapability, string>> = {
  listSessions: "the store has no listSessions",
  listSessionSummaries: "the store has no listSessionSummaries",
  delete: "the store has no delete",
  listSubkeys: "the store has no listSubkeys",
  leases: "the store has no leases",
  reopen: "the factory cannot reopen a store",
  connect: "the factory cannot connect a second store to the same data",
  crash: "the factory cannot crash a store",
};

function isFactoryCapability(need: StoreCapability | FactoryCapability): need is FactoryCapability {
  return need === "reopen" || need === "connect" || need === "crash";
}

async function runCheck<S extends SessionStore>(
  definition: CheckDefinition,
  factory: SessionStoreFactory<S>,
  sizes: CheckSizes,
  limitMs: number,
): Promise<void> {
  const opened = new Set<S>();
  const open = async (opening: S | Promise<S>): Promise<S> => {
    const store = await opening;
    opened.add(store);
    return store;
  };
  // Checks only hand on what they got from here, so each store is one of the factory's.
  const replace = (store: SessionStore, opening: ((store: S) => S | Promise<S>) | undefined): Promise<S> => {
    opened.delete(store as S);
    return open(opening?.call(factory, store as S) ?? fail("the factory cannot do this."));
  };
  const context: CheckContext = {
    capabilities: new Set(factory.capabilities),
    sizes,
    create: () => open(factory.create()),
    reopen: (store) => replace(store, factory.reopen),
    connect: (store) => open(factory.connect?.(store as S) ?? fail("the factory cannot do this.")),
    crash: (store, key: SessionKey) => replace(store, factory.crash && ((old) => factory.crash?.(old, key) ?? old)),
  };
  try {
    await within(limitMs, definition.run(context));
  } catch (error) {
    if (error instanceof ConformanceError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConformanceError(`A call that has to succeed was rejected: ${reason}`, { cause: error });
  } finally {
    for (const store of [...opened].reverse()) await factory.destroy?.(store);
  }
}

async function within(limitMs: number, running: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConformanceError(`The check was not done after ${limitMs} ms.`)), limitMs);
  });
  try {
    await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
