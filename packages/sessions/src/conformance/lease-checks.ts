import {
  isLeasingStore,
  type LeasingSessionStore,
  type SessionLease,
  withSessionLease,
} from "../store/session-lease.ts";
import type { SessionStore } from "../store/session-store.ts";
import { ensure, ensureEntries, ensureRejects, isRetryable } from "./assertions.ts";
import type { CheckContext, CheckDefinition } from "./check.ts";
import { entriesOf, entryOf, mainKey, subagentKey } from "./sample-entries.ts";

/** Long enough to run out in no check that does not wait for it. */
const longMs = 60_000;

/** Short enough to wait for, long enough for a slow backend to answer in. */
const shortMs = 150;

/** Leases: one worker per session. */
export const leaseChecks: readonly CheckDefinition[] = [
  leaseCheck(
    "lease-excludes",
    "refuses a second lease and says that this passes, and gives one when the first is released",
    async (store) => {
      const lease = await store.acquireSessionLease(mainKey(), { ttlMs: longMs, owner: "first" });
      ensure(lease.expiresAt > Date.now(), "the lease ends before now.");
      ensure(lease.owner === "first", `the lease's owner is ${JSON.stringify(lease.owner)}, not "first".`);
      const error = await ensureRejects("a second lease", store.acquireSessionLease(mainKey(), { owner: "second" }));
      ensure(isRetryable(error), "the refusal of a second lease is not retryable.");
      await store.acquireSessionLease(mainKey(1), { ttlMs: longMs });
      await store.releaseSessionLease(lease);
      await store.releaseSessionLease(lease);
      await store.acquireSessionLease(mainKey(), { ttlMs: longMs, owner: "second" });
    },
  ),
  leaseCheck(
    "lease-guards-writes",
    "refuses writes without the lease, under subpaths too, and takes those with it",
    async (store) => {
      await store.append(mainKey(), entriesOf(0, 2));
      const lease = await store.acquireSessionLease(mainKey(), { ttlMs: longMs });
      await ensureRejects("an append without the lease", store.append(mainKey(), entriesOf(7, 8)));
      await ensureRejects("an append to a subpath without the lease", store.append(subagentKey("a"), entriesOf(7, 8)));
      if (store.delete !== undefined) await ensureRejects("a delete without the lease", store.delete(mainKey()));
      await store.append(mainKey(), entriesOf(2, 4), { lease });
      await store.append(subagentKey("a"), [entryOf(0)], { lease });
      await store.append(mainKey(1), [entryOf(0)]);
      ensureEntries("main", await store.load(mainKey()), entriesOf(0, 4));
      ensureEntries("subpath", await store.load(subagentKey("a")), [entryOf(0)]);
      await store.releaseSessionLease(lease);
      await store.append(mainKey(), entriesOf(4, 5));
      ensureEntries("main after the release", await store.load(mainKey()), entriesOf(0, 5));
    },
  ),
  leaseCheck(
    "lease-runs-out",
    "gives the session to another when a lease ran out, and fences the first worker off",
    async (store) => {
      const first = await store.acquireSessionLease(mainKey(), { ttlMs: shortMs });
      await store.append(mainKey(), entriesOf(0, 2), { lease: first });
      const second = await acquireWhenFree(store);
      ensure(second.token > first.token, `the token ${second.token} is not above ${first.token}.`);
      await ensureRejects("an append with the old lease", store.append(mainKey(), entriesOf(8, 9), { lease: first }));
      await ensureRejects("a renewal of the old lease", store.renewSessionLease(first));
      await store.releaseSessionLease(first);
      await ensureRejects("an append without a lease", store.append(mainKey(), entriesOf(8, 9)));
      await store.append(mainKey(), entriesOf(2, 3), { lease: second });
      ensureEntries("main", await store.load(mainKey()), entriesOf(0, 3));
    },
  ),
  leaseCheck(
    "lease-renewal",
    "prolongs a lease that is renewed, and refuses to renew one that was released",
    async (store) => {
      const lease = await store.acquireSessionLease(mainKey(), { ttlMs: shortMs });
      const renewed = await store.renewSessionLease(lease, { ttlMs: longMs });
      ensure(renewed.token === lease.token, "a renewal changed the token.");
      ensure(renewed.expiresAt > lease.expiresAt, "a renewal did not move the end.");
      await pause(shortMs + 50);
      await ensureRejects("a second lease", store.acquireSessionLease(mainKey()));
      await store.append(mainKey(), [entryOf(0)], { lease });
      await store.append(mainKey(), [entryOf(1)], { lease: renewed });
      await store.releaseSessionLease(renewed);
      await ensureRejects("a renewal after the release", store.renewSessionLease(renewed));
      await ensureRejects("an append after the release", store.append(mainKey(), [entryOf(2)], { lease: renewed }));
      ensureEntries("main", await store.load(mainKey()), entriesOf(0, 2));
    },
  ),
  leaseCheck("lease-race", "gives a lease to one of many who ask at once", async (store) => {
    const asked = Array.from({ length: 10 }, () => store.acquireSessionLease(mainKey(), { ttlMs: longMs }));
    const granted = (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled");
    ensure(granted.length === 1, `${granted.length} of 10 got the lease.`);
  }),
  leaseCheck(
    "lease-view",
    "carries the lease in a view of the store, which other sessions do not need",
    async (store) => {
      const lease = await store.acquireSessionLease(mainKey(), { ttlMs: longMs });
      const view = withSessionLease(store, lease);
      await view.append(mainKey(), [entryOf(0)]);
      await view.append(mainKey(1), [entryOf(0)]);
      ensureEntries("through the view", await view.load(mainKey()), [entryOf(0)]);
    },
  ),
  {
    ...leaseCheck(
      "lease-after-delete",
      "takes a delete with the lease twice, and then gives a greater token",
      async (store) => {
        const first = await store.acquireSessionLease(mainKey(), { ttlMs: longMs });
        await store.append(mainKey(), [entryOf(0)], { lease: first });
        await store.delete?.(mainKey(), { lease: first });
        // As whoever did not learn what became of the first.
        await store.delete?.(mainKey(), { lease: first });
        await store.releaseSessionLease(first);
        const second = await store.acquireSessionLease(mainKey(), { ttlMs: longMs });
        ensure(second.token > first.token, `the token ${second.token} is not above ${first.token}.`);
        await ensureRejects("an append with the old lease", store.append(mainKey(), [entryOf(1)], { lease: first }));
      },
    ),
    needs: ["leases", "delete"],
  },
  {
    name: "lease-two-clients",
    title: "holds between two clients of the same data, and a lease may be handed from one to the other",
    needs: ["leases", "connect"],
    async run(context) {
      const first = await createLeasing(context);
      const second = await context.connect(first);
      if (!isLeasingStore(second)) return;
      const lease = await first.acquireSessionLease(mainKey(), { ttlMs: longMs });
      await ensureRejects("a second lease through the other client", second.acquireSessionLease(mainKey()));
      await ensureRejects("an append through the other client", second.append(mainKey(), [entryOf(0)]));
      await first.append(mainKey(), [entryOf(0)], { lease });
      await appendWhenUnlocked(second, lease);
      ensureEntries("through the first client", await first.load(mainKey()), entriesOf(0, 2));
    },
  },
  {
    name: "lease-after-reopen",
    title: "still holds when the store is opened again",
    needs: ["leases", "reopen"],
    async run(context) {
      const first = await createLeasing(context);
      const lease = await first.acquireSessionLease(mainKey(), { ttlMs: longMs });
      const second = await context.reopen(first);
      if (!isLeasingStore(second)) return;
      await ensureRejects("an append without the lease", second.append(mainKey(), [entryOf(0)]));
      await second.append(mainKey(), [entryOf(0)], { lease });
      ensureEntries("main", await second.load(mainKey()), [entryOf(0)]);
    },
  },
];

function leaseCheck(name: string, title: string, run: (store: LeasingSessionStore) => Promise<void>): CheckDefinition {
  return { name, title, needs: ["leases"], run: async (context) => run(await createLeasing(context)) };
}

async function createLeasing(context: CheckContext): Promise<LeasingSessionStore> {
  const store: SessionStore = await context.create();
  ensure(isLeasingStore(store), "the store has no acquireSessionLease, renewSessionLease and releaseSessionLease.");
  return store;
}

/** Asks until the lease of somebody else ran out. The time limit of the check bounds it. */
async function acquireWhenFree(store: LeasingSessionStore): ReturnType<LeasingSessionStore["acquireSessionLease"]> {
  for (;;) {
    try {
      return await store.acquireSessionLease(mainKey(), { ttlMs: longMs });
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await pause(20);
    }
  }
}

/** A store may go on holding a lock of its own for a while behind a write. */
async function appendWhenUnlocked(store: LeasingSessionStore, lease: SessionLease): Promise<void> {
  for (;;) {
    try {
      await store.append(mainKey(), [entryOf(1)], { lease });
      return;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await pause(20);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
