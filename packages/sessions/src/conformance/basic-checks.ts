import type { SessionStoreEntry } from "../store/session-store.ts";
import { ensure, ensureEntries, ensureSame } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import { entriesOf, entryOf, mainKey, otherProjectKey, subagentKey } from "./sample-entries.ts";

/** What each store must do, with the two required methods alone. */
export const basicChecks: readonly CheckDefinition[] = [
  {
    name: "append-then-load",
    title: "gives back what was appended, in the same order",
    async run({ create }) {
      const store = await create();
      const entries = entriesOf(0, 20);
      await store.append(mainKey(), entries);
      ensureEntries("after one append", await store.load(mainKey()), entries);
    },
  },
  {
    name: "unknown-is-null",
    title: "gives null for a session, a subpath and a project that were never written",
    async run({ create }) {
      const store = await create();
      ensure((await store.load(mainKey())) === null, "load of an empty store did not give null.");
      await store.append(mainKey(), [entryOf(0)]);
      ensure(
        (await store.load(subagentKey("none"))) === null,
        "load of an unknown subpath of a session did not give null.",
      );
      ensure(
        (await store.load(mainKey(1))) === null,
        "load of an unknown session of a known project did not give null.",
      );
      const elsewhere = { ...mainKey(), projectKey: "-unknown" };
      ensure(
        (await store.load(elsewhere)) === null,
        "load of a session id under an unknown project did not give null.",
      );
    },
  },
  {
    name: "call-order",
    title: "keeps the order of calls, also of calls that do not wait for each other",
    async run({ create }) {
      const store = await create();
      for (let n = 0; n < 5; n++) await store.append(mainKey(), entriesOf(n * 3, n * 3 + 3));
      await Promise.all([5, 6, 7, 8, 9].map((n) => store.append(mainKey(), entriesOf(n * 3, n * 3 + 3))));
      ensureEntries("after ten appends", await store.load(mainKey()), entriesOf(0, 30));
    },
  },
  {
    name: "empty-append",
    title: "takes an append of nothing, and neither changes nor creates anything by it",
    async run({ create, capabilities }) {
      const store = await create();
      await store.append(mainKey(), []);
      ensure((await store.load(mainKey())) === null, "append([]) created a transcript.");
      await store.append(subagentKey("a"), []);
      ensure((await store.load(subagentKey("a"))) === null, "append([]) created a transcript under a subpath.");
      if (capabilities.has("listSessions")) {
        ensureSame("listSessions after append([])", await store.listSessions?.(mainKey().projectKey), []);
      }
      if (capabilities.has("listSubkeys")) {
        ensureSame("listSubkeys after append([])", await store.listSubkeys?.(mainKey()), []);
      }
      if (capabilities.has("listSessionSummaries")) {
        ensureSame("summaries after append([])", await store.listSessionSummaries?.(mainKey().projectKey), []);
      }
      await store.append(mainKey(), entriesOf(0, 2));
      await store.append(mainKey(), []);
      ensureEntries("after append([])", await store.load(mainKey()), entriesOf(0, 2));
    },
  },
  {
    name: "subpath-apart",
    title: "keeps the main transcript and those under subpaths apart",
    async run({ create }) {
      const store = await create();
      await store.append(subagentKey("b"), entriesOf(20, 25));
      ensure((await store.load(mainKey())) === null, "an append under a subpath created a main transcript.");
      await store.append(mainKey(), entriesOf(0, 5));
      await store.append(subagentKey("a"), entriesOf(10, 15));
      ensureEntries("main", await store.load(mainKey()), entriesOf(0, 5));
      ensureEntries("first subpath", await store.load(subagentKey("a")), entriesOf(10, 15));
      ensureEntries("second subpath", await store.load(subagentKey("b")), entriesOf(20, 25));
    },
  },
  {
    name: "projects-apart",
    title: "keeps the same session id in two projects apart",
    async run({ create }) {
      const store = await create();
      const other = { ...mainKey(), projectKey: otherProjectKey };
      await store.append(mainKey(), entriesOf(0, 3));
      await store.append(other, entriesOf(10, 14));
      ensureEntries("first project", await store.load(mainKey()), entriesOf(0, 3));
      ensureEntries("second project", await store.load(other), entriesOf(10, 14));
    },
  },
  {
    name: "loaded-is-private",
    title: "does not change when a caller changes what load gave",
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), entriesOf(0, 3));
      const loaded = (await store.load(mainKey())) ?? [];
      loaded.push(entryOf(9));
      for (const entry of loaded) deface(entry);
      ensureEntries("after changes of what load gave", await store.load(mainKey()), entriesOf(0, 3));
    },
  },
  {
    name: "appended-is-copied",
    title: "keeps entries as they were when append was called",
    async run({ create }) {
      const store = await create();
      const entries = entriesOf(0, 3);
      const appended = store.append(mainKey(), entries);
      for (const entry of entries) deface(entry);
      entries.push(entryOf(9));
      await appended;
      ensureEntries("after changes behind the call", await store.load(mainKey()), entriesOf(0, 3));
    },
  },
];

function deface(entry: SessionStoreEntry): void {
  entry.type = "defaced";
  entry["added"] = true;
  const { message } = entry;
  if (typeof message === "object" && message !== null) Object.assign(message, { content: "defaced" });
}
