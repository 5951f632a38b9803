import { ensure, ensureEntries, ensureSame, ensureSameSet } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import { entriesOf, entryOf, mainKey, projectKey, sessionIdOf, subagentKey } from "./sample-entries.ts";
import { ensureSummaryIsFold } from "./summary-checks.ts";

/** What is still there when a store is opened again, in good order or after a crash. */
export const restartChecks: readonly CheckDefinition[] = [
  {
    name: "reopen",
    title: "has everything when it is opened again, and goes on where it was",
    needs: ["reopen"],
    async run({ create, reopen, capabilities }) {
      const first = await create();
      await first.append(mainKey(1), [entryOf(0)]);
      await first.delete?.(mainKey(1));
      await first.append(mainKey(0), entriesOf(0, 4));
      const rows = await first.listSessions?.(projectKey);
      // The last thing before the end, so that a store which writes behind shows it.
      await first.append(subagentKey("a"), entriesOf(10, 12));
      const second = await reopen(first);
      ensureEntries("main", await second.load(mainKey()), entriesOf(0, 4));
      if (capabilities.has("listSessions")) {
        ensureSame("sessions", sorted(await second.listSessions?.(projectKey)), sorted(rows));
      }
      if (capabilities.has("listSubkeys")) {
        ensureSameSet("subpaths", (await second.listSubkeys?.(mainKey())) ?? [], ["subagents/agent-a"]);
      }
      await second.append(mainKey(), entriesOf(4, 6));
      await second.append(subagentKey("a"), entriesOf(12, 14));
      ensureEntries("main, appended to", await second.load(mainKey()), entriesOf(0, 6));
      ensureEntries("subpath, appended to", await second.load(subagentKey("a")), entriesOf(10, 14));
    },
  },
  {
    name: "reopen-summary",
    title: "goes on with the summary when it is opened again",
    needs: ["reopen", "listSessionSummaries"],
    async run({ create, reopen }) {
      const first = await create();
      await first.append(mainKey(), [...entriesOf(0, 2), { type: "tag", tag: "kept" }]);
      const second = await reopen(first);
      await ensureSummaryIsFold(second);
      await second.append(mainKey(), [{ type: "custom-title", customTitle: "Later" }]);
      await ensureSummaryIsFold(second);
    },
  },
  {
    name: "crash",
    title: "loses nothing that was acknowledged when its process dies in an append, and takes appends again",
    needs: ["crash"],
    async run({ create, crash, capabilities }) {
      const first = await create();
      await first.append(mainKey(), entriesOf(0, 5));
      await first.append(subagentKey("a"), entriesOf(20, 22));
      const second = await crash(first, mainKey());
      ensureEntries("main after the crash", await second.load(mainKey()), entriesOf(0, 5));
      ensureEntries("subpath after the crash", await second.load(subagentKey("a")), entriesOf(20, 22));
      await second.append(mainKey(), entriesOf(3, 8));
      ensureEntries("main, appended to", await second.load(mainKey()), entriesOf(0, 8));
      if (capabilities.has("listSessionSummaries")) await ensureSummaryIsFold(second);
      const third = await crash(second, subagentKey("a"));
      await third.append(subagentKey("a"), entriesOf(22, 24));
      ensureEntries("subpath, appended to", await third.load(subagentKey("a")), entriesOf(20, 24));
    },
  },
  {
    name: "crash-of-first-append",
    title: "has no session when its process dies in the first append",
    needs: ["crash"],
    async run({ create, crash, capabilities }) {
      const first = await create();
      await first.append(mainKey(1), [entryOf(0)]);
      const second = await crash(first, mainKey(0));
      ensure(
        (await second.load(mainKey(0))) === null,
        "load gave something for a session without an acknowledged entry.",
      );
      if (capabilities.has("listSessions")) {
        const ids = (await second.listSessions?.(projectKey))?.map(({ sessionId }) => sessionId);
        ensureSame("sessions", ids, [sessionIdOf(1)]);
      }
      await second.append(mainKey(0), entriesOf(0, 2));
      ensureEntries("the session, appended to", await second.load(mainKey(0)), entriesOf(0, 2));
    },
  },
];

function sorted(rows: readonly { sessionId: string }[] | undefined): unknown {
  return [...(rows ?? [])].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
}
