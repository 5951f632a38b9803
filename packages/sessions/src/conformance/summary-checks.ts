import { foldSessionSummary } from "../store/fold-session-summary.ts";
import type { SessionStore, SessionSummaryEntry } from "../store/session-store.ts";
import { ensure, ensureSame, ensureSameSet } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import {
  entriesOf,
  entryOf,
  mainKey,
  otherProjectKey,
  projectKey,
  sessionIdOf,
  subagentKey,
} from "./sample-entries.ts";

/** `listSessionSummaries`: what lists show without loading transcripts. */
export const summaryChecks: readonly CheckDefinition[] = [
  {
    name: "summary-per-session",
    title: "gives one summary for each session with a main transcript, and none for an unknown project",
    needs: ["listSessionSummaries"],
    async run({ create }) {
      const store = await create();
      ensureSame("summaries of an empty store", await store.listSessionSummaries?.(projectKey), []);
      for (let n = 0; n < 3; n++) await store.append(mainKey(n), [entryOf(n)]);
      await store.append(subagentKey("a", 8), [entryOf(0)]);
      await store.append({ ...mainKey(9), projectKey: otherProjectKey }, [entryOf(0)]);
      const summaries = (await store.listSessionSummaries?.(projectKey)) ?? [];
      const ids = summaries.map(({ sessionId }) => sessionId);
      ensureSameSet("sessions with a summary", ids, [0, 1, 2].map(sessionIdOf));
      ensureSame("summaries of an unknown project", await store.listSessionSummaries?.("-unknown"), []);
    },
  },
  {
    name: "summary-is-fold",
    title: "keeps a summary equal to the fold of the whole transcript, over several appends and repeated ones",
    needs: ["listSessionSummaries"],
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), entriesOf(0, 3, { cwd: "/home/user/project", gitBranch: "main" }));
      await store.append(mainKey(), [
        { type: "custom-title", uuid: "t1", customTitle: "First" },
        { type: "tag", tag: "x" },
      ]);
      await store.append(mainKey(), [{ type: "custom-title", uuid: "t2", customTitle: "Second" }]);
      await ensureSummaryIsFold(store);
      // The retry of an old batch: folding it again would bring the first title back.
      await store.append(mainKey(), [{ type: "custom-title", uuid: "t1", customTitle: "First" }]);
      await ensureSummaryIsFold(store);
      const { data } = await summaryOf(store);
      ensure(
        data["customTitle"] === "Second",
        `the title is ${JSON.stringify(data["customTitle"])} after a retry, not "Second".`,
      );
    },
  },
  {
    name: "summary-of-mixed-batch",
    title: "folds of a batch that is partly known what is new, and nothing else",
    needs: ["listSessionSummaries"],
    async run({ create }) {
      const store = await create();
      const first = { type: "custom-title", uuid: "t1", customTitle: "First" };
      await store.append(mainKey(), [first]);
      await store.append(mainKey(), [{ type: "custom-title", uuid: "t2", customTitle: "Second" }]);
      await store.append(mainKey(), [first, { type: "ai-title", uuid: "t3", aiTitle: "Of the model" }]);
      const { data } = await summaryOf(store);
      const { customTitle, aiTitle } = data;
      ensureSame(
        "titles behind a batch that was partly known",
        { customTitle, aiTitle },
        { customTitle: "Second", aiTitle: "Of the model" },
      );
    },
  },
  {
    name: "summary-ignores-subpaths",
    title: "leaves a summary as it is when a subpath is appended to or deleted",
    needs: ["listSessionSummaries"],
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), entriesOf(0, 2));
      const before = await summaryOf(store);
      await store.append(subagentKey("a"), [{ type: "custom-title", customTitle: "Of the subagent" }]);
      await store.delete?.(subagentKey("a"));
      ensureSame("data after writes of a subpath", (await summaryOf(store)).data, before.data);
    },
  },
  {
    name: "summary-time",
    title: "gives a summary a time that is not before that of the list, so that it counts as fresh",
    needs: ["listSessionSummaries", "listSessions"],
    async run({ create }) {
      const store = await create();
      for (let n = 0; n < 4; n++) {
        await store.append(mainKey(), [entryOf(n)]);
        const summary = await summaryOf(store);
        const [row] = (await store.listSessions?.(projectKey)) ?? [];
        const listed = row?.mtime ?? Number.NaN;
        ensure(summary.mtime >= listed, `the summary's mtime is ${summary.mtime}, before ${listed} of the list.`);
        ensure(
          Number.isInteger(summary.mtime) && summary.mtime > 1e12,
          `mtime is ${summary.mtime}, not whole milliseconds.`,
        );
      }
    },
  },
  {
    name: "summary-folds-on",
    title: "gives summaries that can be folded on, and does not change when a caller changes them",
    needs: ["listSessionSummaries"],
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), entriesOf(0, 3));
      const summary = await summaryOf(store);
      const folded = foldSessionSummary(summary, mainKey(), [{ type: "tag", tag: "t" }]);
      ensureSame("the fold of a loaded summary", folded.data, { ...summary.data, tag: "t" });
      Object.assign(summary.data, { defaced: true });
      await ensureSummaryIsFold(store);
    },
  },
  {
    name: "summary-deleted",
    title: "forgets the summary of a deleted session, and begins anew when it is written again",
    needs: ["listSessionSummaries", "delete"],
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(0), [{ type: "custom-title", customTitle: "Old" }]);
      await store.append(mainKey(1), entriesOf(0, 2));
      await store.delete?.(mainKey(0));
      const ids = (await store.listSessionSummaries?.(projectKey))?.map(({ sessionId }) => sessionId);
      ensureSame("sessions with a summary after delete", ids, [sessionIdOf(1)]);
      await store.delete?.(mainKey(1));
      await store.append(mainKey(0), entriesOf(0, 2));
      await ensureSummaryIsFold(store);
    },
  },
];

/** Fails unless the only summary of the project is the fold of the first session. */
export async function ensureSummaryIsFold(store: SessionStore): Promise<void> {
  const expected = foldSessionSummary(undefined, mainKey(), (await store.load(mainKey())) ?? []);
  ensureSame("the summary, against the fold of what load gives", (await summaryOf(store)).data, expected.data);
}

async function summaryOf(store: SessionStore): Promise<SessionSummaryEntry> {
  const summaries = (await store.listSessionSummaries?.(projectKey)) ?? [];
  const summary = summaries.find(({ sessionId }) => sessionId === mainKey().sessionId);
  ensure(summary !== undefined, "the session has no summary.");
  return summary;
}
