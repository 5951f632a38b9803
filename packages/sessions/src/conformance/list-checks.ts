import type { SessionStore } from "../store/session-store.ts";
import { ensure, ensureEntries, ensureSame, ensureSameSet } from "./assertions.ts";
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

/** `listSessions`, `listSubkeys` and `delete`. */
export const listChecks: readonly CheckDefinition[] = [
  {
    name: "list-sessions",
    title: "lists just the sessions of a project, with times in whole milliseconds",
    needs: ["listSessions"],
    async run({ create }) {
      const store = await create();
      for (let n = 0; n < 3; n++) await store.append(mainKey(n), [entryOf(n)]);
      await store.append({ projectKey: otherProjectKey, sessionId: sessionIdOf(0) }, [entryOf(0)]);
      await store.append({ projectKey: otherProjectKey, sessionId: sessionIdOf(7) }, [entryOf(0)]);
      const rows = (await store.listSessions?.(projectKey)) ?? [];
      ensureSameSet("sessions of the first project", idsOf(rows), [0, 1, 2].map(sessionIdOf));
      const otherRows = (await store.listSessions?.(otherProjectKey)) ?? [];
      ensureSameSet("sessions of the second project", idsOf(otherRows), [0, 7].map(sessionIdOf));
      for (const { mtime } of [...rows, ...otherRows]) {
        // 1e12 ms is in 2001: less means seconds.
        ensure(Number.isInteger(mtime) && mtime > 1e12, `mtime is ${mtime}, not whole milliseconds since 1970.`);
      }
    },
  },
  {
    name: "list-unknown-project",
    title: "lists no sessions for an unknown project",
    needs: ["listSessions"],
    async run({ create }) {
      const store = await create();
      ensureSame("sessions of an empty store", await store.listSessions?.(projectKey), []);
      await store.append(mainKey(), [entryOf(0)]);
      ensureSame("sessions of an unknown project", await store.listSessions?.("-home-user"), []);
      ensureSame("sessions of a longer name", await store.listSessions?.(`${projectKey}x`), []);
    },
  },
  {
    name: "list-main-only",
    title: "lists a session for its main transcript, not for subpaths",
    needs: ["listSessions"],
    async run({ create }) {
      const store = await create();
      await store.append(subagentKey("a", 1), [entryOf(0)]);
      await store.append(mainKey(0), [entryOf(0)]);
      await store.append(subagentKey("a", 0), [entryOf(0)]);
      const rows = (await store.listSessions?.(projectKey)) ?? [];
      ensureSame("listed sessions", idsOf(rows), [sessionIdOf(0)]);
    },
  },
  {
    name: "mtime-grows",
    title: "gives a session a later time with each append that stores something",
    needs: ["listSessions"],
    async run({ create }) {
      const store = await create();
      let last = 0;
      for (let n = 0; n < 5; n++) {
        await store.append(mainKey(), [entryOf(n)]);
        const mtime = await mtimeOf(store);
        ensure(mtime > last, `append ${n + 1} left mtime at ${mtime}, after ${last}.`);
        last = mtime;
      }
    },
  },
  {
    name: "list-subkeys",
    title: "lists the subpaths of one session, without the main transcript",
    needs: ["listSubkeys"],
    async run({ create }) {
      const store = await create();
      const nested = { ...mainKey(), subpath: "subagents/workflows/run-1/agent-c" };
      for (const key of [mainKey(), subagentKey("a"), subagentKey("b"), nested, subagentKey("z", 1)]) {
        await store.append(key, [entryOf(0)]);
      }
      const elsewhere = { ...subagentKey("y"), projectKey: otherProjectKey };
      await store.append(elsewhere, [entryOf(0)]);
      const subpaths = (await store.listSubkeys?.(mainKey())) ?? [];
      ensureSameSet("subpaths", subpaths, [
        subagentKey("a").subpath ?? "",
        subagentKey("b").subpath ?? "",
        nested.subpath,
      ]);
    },
  },
  {
    name: "list-subkeys-none",
    title: "lists no subpaths for a session that has none, and for an unknown one",
    needs: ["listSubkeys"],
    async run({ create }) {
      const store = await create();
      await store.append(mainKey(), [entryOf(0)]);
      ensureSame("subpaths of a session without any", await store.listSubkeys?.(mainKey()), []);
      ensureSame("subpaths of an unknown session", await store.listSubkeys?.(mainKey(1)), []);
    },
  },
  {
    name: "delete-session",
    title: "deletes a transcript, and takes the deletion of an unknown one",
    needs: ["delete"],
    async run({ create }) {
      const store = await create();
      await store.delete?.(mainKey());
      await store.delete?.(subagentKey("a"));
      await store.append(mainKey(), entriesOf(0, 3));
      await store.delete?.(mainKey());
      ensure((await store.load(mainKey())) === null, "load after delete did not give null.");
      await store.delete?.(mainKey());
    },
  },
  {
    name: "delete-cascades",
    title: "deletes a session with its subpaths, and nothing of others",
    needs: ["delete"],
    async run({ create, capabilities }) {
      const store = await create();
      const elsewhere = { ...mainKey(), projectKey: otherProjectKey };
      const others = [mainKey(1), subagentKey("a", 1), elsewhere, { ...elsewhere, subpath: "subagents/agent-a" }];
      for (const key of [mainKey(), subagentKey("a"), subagentKey("b"), ...others])
        await store.append(key, entriesOf(0, 2));
      await store.delete?.(mainKey());
      for (const key of [mainKey(), subagentKey("a"), subagentKey("b")]) {
        ensure(
          (await store.load(key)) === null,
          `${key.subpath ?? "the main transcript"} is still there after delete.`,
        );
      }
      for (const key of others)
        ensureEntries(`of another session ${JSON.stringify(key)}`, await store.load(key), entriesOf(0, 2));
      if (capabilities.has("listSubkeys")) {
        ensureSame("subpaths after delete", await store.listSubkeys?.(mainKey()), []);
        ensureSame("subpaths of another session", await store.listSubkeys?.(mainKey(1)), ["subagents/agent-a"]);
      }
      if (capabilities.has("listSessions")) {
        ensureSame("sessions after delete", idsOf((await store.listSessions?.(projectKey)) ?? []), [sessionIdOf(1)]);
      }
    },
  },
  {
    name: "delete-subpath",
    title: "deletes only the transcript that a subpath names",
    needs: ["delete"],
    async run({ create, capabilities }) {
      const store = await create();
      for (const key of [mainKey(), subagentKey("a"), subagentKey("ab")]) await store.append(key, entriesOf(0, 2));
      await store.delete?.(subagentKey("a"));
      ensure((await store.load(subagentKey("a"))) === null, "the subpath is still there after delete.");
      ensureEntries("main", await store.load(mainKey()), entriesOf(0, 2));
      ensureEntries("the other subpath", await store.load(subagentKey("ab")), entriesOf(0, 2));
      if (capabilities.has("listSubkeys")) {
        ensureSame("subpaths after delete", await store.listSubkeys?.(mainKey()), [subagentKey("ab").subpath]);
      }
    },
  },
  {
    name: "write-after-delete",
    title: "begins anew after a deletion: nothing old comes back, and known uuids are forgotten",
    needs: ["delete"],
    async run({ create, capabilities }) {
      const store = await create();
      await store.append(mainKey(), entriesOf(0, 5));
      await store.append(subagentKey("a"), entriesOf(0, 5));
      await store.delete?.(mainKey());
      await store.append(mainKey(), entriesOf(2, 4));
      ensureEntries("main", await store.load(mainKey()), entriesOf(2, 4));
      ensure((await store.load(subagentKey("a"))) === null, "an append after delete brought a subpath back.");
      if (capabilities.has("listSessions")) {
        ensureSame("sessions", idsOf((await store.listSessions?.(projectKey)) ?? []), [sessionIdOf(0)]);
      }
    },
  },
];

async function mtimeOf(store: SessionStore): Promise<number> {
  const [row] = (await store.listSessions?.(projectKey)) ?? [];
  return row?.mtime ?? 0;
}

function idsOf(rows: readonly { sessionId: string }[]): string[] {
  return rows.map(({ sessionId }) => sessionId);
}
