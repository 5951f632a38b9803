import { ensureEntries } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import { entriesOf, entryOf, mainKey, otherProjectKey, subagentKey } from "./sample-entries.ts";

const title = { type: "custom-title", customTitle: "A title", sessionId: mainKey().sessionId };

/** A `uuid` names an entry within its transcript, so that a retry stores nothing twice. */
export const uuidChecks: readonly CheckDefinition[] = [
  {
    name: "retry-stores-once",
    title: "stores an entry once when its append is repeated, in whole or in part",
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), entriesOf(0, 5));
      await store.append(mainKey(), entriesOf(0, 5));
      await store.append(mainKey(), entriesOf(3, 8));
      ensureEntries("after repeated appends", await store.load(mainKey()), entriesOf(0, 8));
    },
  },
  {
    name: "batch-stores-once",
    title: "stores an entry once that stands twice in one batch, at its first place",
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), [...entriesOf(0, 3), entryOf(1), entryOf(3), entryOf(3)]);
      ensureEntries("after a batch with repetitions", await store.load(mainKey()), entriesOf(0, 4));
    },
  },
  {
    name: "concurrent-retry-stores-once",
    title: "stores an entry once when its append and the retry overlap",
    async run({ create }) {
      const store = await create();
      await Promise.all(Array.from({ length: 8 }, () => store.append(mainKey(), entriesOf(0, 10))));
      ensureEntries("after overlapping appends", await store.load(mainKey()), entriesOf(0, 10));
    },
  },
  {
    name: "without-uuid-stays",
    title: "stores every entry that has no uuid",
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), [title, title]);
      await store.append(mainKey(), [title]);
      ensureEntries("after entries without uuid", await store.load(mainKey()), [title, title, title]);
    },
  },
  {
    name: "uuid-per-transcript",
    title: "stores the same uuid under another session, project or subpath again, as a fork of the CLI needs it",
    async run({ create }) {
      const store = await create();
      const keys = [
        mainKey(0),
        mainKey(1),
        subagentKey("a"),
        subagentKey("b"),
        { ...mainKey(), projectKey: otherProjectKey },
      ];
      for (const key of keys) await store.append(key, entriesOf(0, 4));
      for (const key of keys) ensureEntries(`under ${JSON.stringify(key)}`, await store.load(key), entriesOf(0, 4));
    },
  },
  {
    name: "retry-after-reopen",
    title: "stores an entry once when the retry comes after the store was opened again",
    needs: ["reopen"],
    async run({ create, reopen }) {
      const first = await create();
      await first.append(mainKey(), entriesOf(0, 5));
      await first.append(subagentKey("a"), entriesOf(0, 5));
      const second = await reopen(first);
      await second.append(mainKey(), entriesOf(3, 8));
      await second.append(subagentKey("a"), entriesOf(3, 8));
      ensureEntries("main", await second.load(mainKey()), entriesOf(0, 8));
      ensureEntries("subpath", await second.load(subagentKey("a")), entriesOf(0, 8));
    },
  },
];
