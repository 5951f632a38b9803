import { ensure, ensureEntries, ensureSame } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import { entriesOf, entryOf, mainKey, projectKey, sessionIdOf, subagentKey } from "./sample-entries.ts";

/** Sizes at which limits of a backend show: pages, batches, parameters of a statement. */
export const sizeChecks: readonly CheckDefinition[] = [
  {
    name: "large-session",
    title: "keeps a session of many entries, appended in batches of 500 and one of 5,000",
    isLarge: true,
    async run({ create, sizes }) {
      const store = await create();
      const count = sizes.largeSessionEntries;
      let next = Math.min(5_000, count);
      await store.append(mainKey(), entriesOf(0, next));
      for (; next < count; next += 500) await store.append(mainKey(), entriesOf(next, Math.min(next + 500, count)));
      await store.append(mainKey(), entriesOf(count - 10, count));
      ensureEntries("the large session", await store.load(mainKey()), entriesOf(0, count));
    },
  },
  {
    name: "many-sessions",
    title: "lists more sessions than a page of the backend holds, with their summaries",
    needs: ["listSessions"],
    isLarge: true,
    async run({ create, sizes, capabilities }) {
      const store = await create();
      const count = sizes.largeProjectSessions;
      await inGroups(count, (n) => store.append(mainKey(n), [entryOf(0)]));
      const ids = (await store.listSessions?.(projectKey))?.map(({ sessionId }) => sessionId).sort();
      ensureSame(
        "listed sessions",
        ids,
        Array.from({ length: count }, (_, n) => sessionIdOf(n)),
      );
      if (!capabilities.has("listSessionSummaries")) return;
      const summaries = (await store.listSessionSummaries?.(projectKey)) ?? [];
      ensure(summaries.length === count, `there are ${summaries.length} summaries for ${count} sessions.`);
    },
  },
  {
    name: "many-subkeys",
    title: "lists and deletes more subpaths of one session than a page of the backend holds",
    needs: ["listSubkeys"],
    isLarge: true,
    async run({ create, sizes, capabilities }) {
      const store = await create();
      const count = sizes.largeProjectSessions;
      const nameOf = (n: number) => n.toString().padStart(6, "0");
      await store.append(mainKey(), [entryOf(0)]);
      await inGroups(count, (n) => store.append(subagentKey(nameOf(n)), [entryOf(n)]));
      const subpaths = (await store.listSubkeys?.(mainKey()))?.sort();
      ensureSame(
        "listed subpaths",
        subpaths,
        Array.from({ length: count }, (_, n) => subagentKey(nameOf(n)).subpath),
      );
      if (!capabilities.has("delete")) return;
      await store.delete?.(mainKey());
      ensureSame("subpaths after delete", await store.listSubkeys?.(mainKey()), []);
      ensure(
        (await store.load(subagentKey(nameOf(count - 1)))) === null,
        "the last subpath is still there after delete.",
      );
    },
  },
];

/** 50 at a time: a store need not take a thousand calls at once. */
async function inGroups(count: number, task: (n: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < count; start += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - start) }, (_, i) => task(start + i)));
  }
}
