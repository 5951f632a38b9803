import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "@reins/test-servers/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlace } from "./postgres-places.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 90_000);
afterAll(() => server?.[Symbol.asyncDispose]());

async function example(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, "..", "examples", name), "utf8");
}

const key = { projectKey: "-p", sessionId: "s" };
const subagent = { ...key, subpath: "subagents/agent-a" };

test("a store sees only its tenant's sessions, also without policies", async () => {
  await using place = await createPlace(server);
  const stores = [place.open(), place.open({ tenant: "a" }), place.open({ tenant: "b" })];
  for (const [n, store] of stores.entries()) {
    await store.append(key, [{ type: "user", uuid: "same", n }]);
    await store.append(subagent, [{ type: "user", n }]);
  }
  await stores[1]?.acquireSessionLease(key);
  await stores[2]?.delete(subagent);
  expect(await Promise.all(stores.map((store) => store.load(key)))).toEqual([
    [{ type: "user", uuid: "same", n: 0 }],
    [{ type: "user", uuid: "same", n: 1 }],
    [{ type: "user", uuid: "same", n: 2 }],
  ]);
  const counts = stores.map(
    async (store) => (await store.listSessions("-p")).length + (await store.listSubkeys(key)).length,
  );
  expect(await Promise.all(counts)).toEqual([2, 2, 1]);
});

test("with the grants and policies of the README a role does everything for its tenant, and nothing for others", async () => {
  await using place = await createPlace(server, { schema: "agent" });
  await place.run(`CREATE ROLE app LOGIN; ${await example("grants.sql")} ${await example("row-level-security.sql")}`);
  const pool = place.connect({ user: "app", max: 2 });
  const ours = place.open({ pool, tenant: "ours" });
  const theirs = place.open({ pool, tenant: "theirs" });

  expect(await ours.migrate()).toEqual({ from: 2, to: 2 });
  for (const store of [ours, theirs]) {
    const lease = await store.acquireSessionLease(key);
    await store.append(key, [{ type: "user", uuid: "1" }], { lease });
    await store.append(
      key,
      [
        { type: "user", uuid: "1" },
        { type: "tag", tag: "t" },
      ],
      { lease },
    );
    await store.append(subagent, [{ type: "user" }], { lease: await store.renewSessionLease(lease) });
    await store.releaseSessionLease(lease);
    expect(await store.load(key)).toHaveLength(2);
    expect(await store.listSessions("-p")).toHaveLength(1);
    expect(await store.listSessionSummaries("-p")).toMatchObject([{ data: { tag: "t" } }]);
    expect(await store.listSubkeys(key)).toEqual([subagent.subpath]);
  }
  await ours.delete(key);
  expect(await ours.load(key)).toBeNull();
  expect(await theirs.load(subagent)).toHaveLength(1);

  // Statements that forget the tenant, or are made to.
  const client = await pool.connect();
  try {
    const count = async () => {
      const { rows } = await client.query(
        "SELECT (SELECT count(*)::int FROM agent.reins_sessions) AS sessions, (SELECT count(*)::int FROM agent.reins_entries) AS entries",
      );
      return rows[0];
    };
    expect(await count()).toEqual({ sessions: 0, entries: 0 });
    await client.query("SET reins.tenant = 'ours'");
    expect(await count()).toEqual({ sessions: 0, entries: 0 });
    const [session] = await place.run("SELECT id FROM agent.reins_sessions WHERE tenant = 'theirs'");
    const foreign = client.query(
      "INSERT INTO agent.reins_entries (session, subpath, seq, entry) VALUES ($1, '', 99, '{}')",
      [session?.["id"]],
    );
    await expect(foreign).rejects.toMatchObject({ code: "42501" });
    expect((await client.query("DELETE FROM agent.reins_entries")).rowCount).toBe(0);
    await client.query("SET reins.tenant = 'theirs'");
    expect(await count()).toEqual({ sessions: 1, entries: 3 });
  } finally {
    client.release(true);
  }
  // A connection of the pool keeps nothing of the tenant that used it last.
  const { rows } = await pool.query("SELECT current_setting('reins.tenant', true) AS tenant");
  expect(rows[0]?.tenant ?? "").toBe("");
});

test("sessions are deleted by age with their entries, but not under somebody's lease", async () => {
  await using place = await createPlace(server, { schema: "agent" });
  await place.run("TRUNCATE agent.reins_sessions CASCADE");
  const store = place.open();
  for (const sessionId of ["old", "leased", "new"]) {
    await store.append({ projectKey: "-p", sessionId }, [{ type: "user" }]);
    await store.append({ projectKey: "-p", sessionId, subpath: "subagents/agent-a" }, [{ type: "user" }]);
  }
  await store.acquireSessionLease({ projectKey: "-p", sessionId: "leased" });
  await place.run("UPDATE agent.reins_sessions SET updated_at = now() - interval '91 days' WHERE session_id <> 'new'");
  await place.run(await example("delete-by-age.sql"));
  expect((await store.listSessions("-p")).map(({ sessionId }) => sessionId).sort()).toEqual(["leased", "new"]);
  const [count] = await place.run("SELECT count(*)::int AS n FROM agent.reins_entries");
  expect(count).toEqual({ n: 4 });
});
