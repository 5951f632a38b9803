import type { SessionStore, SessionStoreEntry } from "../store/session-store.ts";
import { ensure, ensureEntries, ensureSame, isRetryable } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import { entriesOf, entryOf, mainKey, projectKey, subagentKey, uuidOf } from "./sample-entries.ts";
import { ensureSummaryIsFold } from "./summary-checks.ts";

/** Many calls at once, in one process and through several clients. */
export const concurrencyChecks: readonly CheckDefinition[] = [
  {
    name: "concurrent-appends",
    title: "loses nothing when appends to one transcript overlap, and keeps each batch in order",
    async run({ create, capabilities }) {
      const store = await create();
      const batches = Array.from({ length: 40 }, (_, n) => entriesOf(n * 5, n * 5 + 5));
      await Promise.all(batches.map((batch) => store.append(mainKey(), batch)));
      ensureEachInOrder((await store.load(mainKey())) ?? [], batches);
      if (capabilities.has("listSessionSummaries")) await ensureSummaryIsFold(store);
    },
  },
  {
    name: "concurrent-sessions",
    title: "loses nothing when many sessions and subpaths are written and read at once",
    async run({ create, capabilities }) {
      const store = await create();
      const keys = Array.from({ length: 20 }, (_, n) => [mainKey(n), subagentKey("a", n), subagentKey("b", n)]).flat();
      for (let round = 0; round < 3; round++) {
        await Promise.all(
          keys.map(async (key) => {
            await store.append(key, entriesOf(round * 4, round * 4 + 4));
            ensureEntries("a transcript in between", await store.load(key), entriesOf(0, round * 4 + 4));
          }),
        );
      }
      const loaded = await Promise.all(keys.map((key) => store.load(key)));
      for (const entries of loaded) ensureEntries("a transcript at the end", entries, entriesOf(0, 12));
      if (capabilities.has("listSessions")) {
        const rows = (await store.listSessions?.(projectKey)) ?? [];
        ensure(rows.length === 20, `listSessions gave ${rows.length} sessions, not 20.`);
      }
    },
  },
  {
    name: "load-during-append",
    title: "gives whole entries and what was acknowledged, also while an append runs",
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), entriesOf(0, 10));
      let acknowledged = 10;
      const writing = (async () => {
        for (; acknowledged < 200; acknowledged += 10) {
          await store.append(mainKey(), entriesOf(acknowledged, acknowledged + 10, { text: "x".repeat(2_000) }));
        }
      })();
      let isWriting = true;
      const written = writing.finally(() => {
        isWriting = false;
      });
      // Whoever fails first tells; the other must not be left unhandled.
      written.catch(() => {});
      while (isWriting) {
        const atLeast = acknowledged;
        const loaded = await store.load(mainKey());
        ensure(
          (loaded?.length ?? 0) >= atLeast,
          `load gave ${loaded?.length} entries when ${atLeast} were acknowledged.`,
        );
        ensureSame(
          "the order during an append",
          loaded?.map(({ uuid }) => uuid),
          loaded?.map((_, n) => uuidOf(n)),
        );
      }
      await written;
    },
  },
  {
    name: "two-clients",
    title:
      "lets a second client of the same data see what was acknowledged, and loses nothing when both write one session",
    needs: ["connect"],
    async run({ create, connect }) {
      const first = await create();
      const second = await connect(first);
      await first.append(mainKey(1), entriesOf(0, 3));
      ensureEntries("through the second client", await second.load(mainKey(1)), entriesOf(0, 3));
      const acknowledged = await Promise.all([appendAll(first, 0, 100), appendAll(second, 1_000, 1_100)]);
      const loaded = (await first.load(mainKey())) ?? [];
      ensureEachInOrder(loaded, acknowledged.flat());
      ensureSame("the transcript through the other client", await second.load(mainKey()), loaded);
    },
  },
  {
    name: "two-clients-retry",
    title: "stores an entry once when two clients append it",
    needs: ["connect"],
    async run({ create, connect }) {
      const first = await create();
      const second = await connect(first);
      await Promise.all([appendAll(first, 0, 50), appendAll(second, 0, 50)]);
      const loaded = (await second.load(mainKey())) ?? [];
      const distinct = new Set(loaded.map(({ uuid }) => uuid)).size;
      ensure(loaded.length === distinct, `load gave ${loaded.length} entries with ${distinct} different uuids.`);
    },
  },
];

/** Appends in batches of five. A store may refuse a second writer, as long as it says that this passes. Gives what was acknowledged. */
async function appendAll(store: SessionStore, from: number, to: number): Promise<SessionStoreEntry[][]> {
  const acknowledged: SessionStoreEntry[][] = [];
  for (let n = from; n < to; n += 5) {
    const batch = entriesOf(n, n + 5);
    try {
      await store.append(mainKey(), batch);
      acknowledged.push(batch);
    } catch (error) {
      if (!isRetryable(error)) throw error;
    }
  }
  return acknowledged;
}

/** Fails unless the transcript consists of the batches, each in its own order. */
function ensureEachInOrder(loaded: readonly SessionStoreEntry[], batches: readonly SessionStoreEntry[][]): void {
  const places = new Map(loaded.map((entry, place) => [entry.uuid, place]));
  const count = batches.flat().length;
  ensure(loaded.length === count, `load gave ${loaded.length} entries, not the ${count} that were acknowledged.`);
  for (const batch of batches) {
    let last = -1;
    for (const { uuid } of batch) {
      const place = places.get(uuid);
      ensure(place !== undefined, `the acknowledged entry ${uuid} is missing.`);
      ensure(place > last, `the entries of a batch are out of order at ${uuid}.`);
      last = place;
    }
  }
  const [first] = batches.flat();
  if (first !== undefined) ensureSame("a stored entry", loaded[places.get(first.uuid) ?? 0], entryOf(numberOf(first)));
}

/** The number that `entryOf` made an entry of, which its uuid ends with. */
function numberOf(entry: SessionStoreEntry): number {
  return Number.parseInt(entry.uuid?.slice(-12) ?? "0", 16);
}
