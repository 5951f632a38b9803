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
import { FailedCalls } from "./watched-store.ts";

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
  // What a check works with is a view of a store, which the factory does not know.
  const opened = new Map<SessionStore, S>();
  const calls = new FailedCalls();
  const open = async (name: string, opening: () => S | Promise<S>): Promise<S> => {
    const store = await calls.named(name, opening);
    const view = calls.watch(store);
    opened.set(view, store);
    return view;
  };
  const originalOf = (view: SessionStore): S => opened.get(view) ?? fail("the check used a store that is closed.");
  const replace = (name: string, view: SessionStore, opening: ((store: S) => S | Promise<S>) | undefined) => {
    const store = originalOf(view);
    opened.delete(view);
    return open(name, () => opening?.call(factory, store) ?? fail("the factory cannot do this."));
  };
  const context: CheckContext = {
    capabilities: new Set(factory.capabilities),
    sizes,
    create: () => open("create of the factory", () => factory.create()),
    reopen: (store) => replace("reopen of the factory", store, factory.reopen),
    connect: (store) => {
      const first = originalOf(store);
      return open("connect of the factory", () => factory.connect?.(first) ?? fail("the factory cannot do this."));
    },
    crash: (store, key: SessionKey) =>
      replace("crash of the factory", store, factory.crash && ((old) => factory.crash?.(old, key) ?? old)),
  };
  try {
    await within(limitMs, definition.run(context));
  } catch (error) {
    if (error instanceof ConformanceError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const call = calls.nameOf(error) ?? "A call that the check makes";
    throw new ConformanceError(`${call} has to succeed, but it failed: ${reason}`, { cause: error });
  } finally {
    for (const store of [...opened.values()].reverse()) await factory.destroy?.(store);
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
