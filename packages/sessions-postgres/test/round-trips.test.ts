import type { SessionStoreEntry } from "@reins/sessions";
import type { PostgresPool } from "@reins/sessions-postgres";
import { type PostgresServer, startPostgres } from "@reins/test-servers/postgres";
import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { createPlace, type Place } from "./postgres-places.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 90_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const key = { projectKey: "-p", sessionId: "s" };
const subagent = { ...key, subpath: "subagents/agent-a" };

interface RoundTrip {
  readonly text: string;
  /** How much text came with it. */
  readonly received: number;
}

/** A pool that notes what is sent. */
function watch(pool: Pool): { readonly pool: PostgresPool; readonly sent: RoundTrip[] } {
  const sent: RoundTrip[] = [];
  const query = async (client: PoolClient, text: string, values?: unknown[]) => {
    const answer: unknown = await client.query(text, values);
    sent.push({ text, received: JSON.stringify(answer).length });
    return answer;
  };
  const watched: PostgresPool = {
    on: (event, listener) => pool.on(event, listener),
    listenerCount: (event) => pool.listenerCount(event),
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (text, values) => query(client, text, values),
        release: (error) => client.release(error),
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
      };
    },
  };
  return { pool: watched, sent };
}

test("a pool of pg fits", () => {
  expectTypeOf<Pool>().toExtend<PostgresPool>();
});

test("each call takes the round trips that the README says", async () => {
  await using place = await createPlace(server);
  const { pool, sent } = watch(place.pool);
  const store = place.open({ pool });
  const count = async (call: Promise<unknown>) => {
    sent.length = 0;
    await call;
    return sent.length;
  };
  const batch = Array.from({ length: 5_000 }, (_, n) => ({ type: "user", uuid: `${n}` }));
  expect(await count(store.append(key, batch))).toBe(4);
  expect(sent.filter(({ text }) => text.includes("INSERT INTO") && text.includes("entries"))).toHaveLength(1);
  expect(await count(store.append(key, [{ type: "user" }]))).toBe(3);
  expect(await count(store.append(subagent, [{ type: "user" }]))).toBe(3);
  expect(await count(store.append(key, []))).toBe(0);
  expect(await count(store.load(subagent))).toBe(2);
  expect(await count(store.load(key))).toBe(2 + 2);
  expect(await count(store.listSessions("-p"))).toBe(1);
  expect(await count(store.listSessionSummaries("-p"))).toBe(1);
  expect(await count(store.listSubkeys(key))).toBe(1);
  const lease = await store.acquireSessionLease(key);
  expect(await count(store.renewSessionLease(lease))).toBe(2);
  expect(await count(store.releaseSessionLease(lease))).toBe(2);
  expect(await count(store.delete(subagent))).toBe(2);
  expect(await count(store.delete(key))).toBe(2);
  expect(await count(store.acquireSessionLease(key))).toBe(3);
});

describe("lists", () => {
  test("of 10,000 sessions take one round trip, and find them by an index", async () => {
    await using place = await createPlace(server);
    await fill(place);
    const { pool, sent } = watch(place.pool);
    const store = place.open({ pool });
    expect(await store.listSessions("-p1")).toHaveLength(10_000);
    expect(sent).toHaveLength(1);
    const summaries = await store.listSessionSummaries("-p1");
    expect(sent).toHaveLength(2);
    expect(summaries).toHaveLength(10_000);
    expect(summaries[0]?.data).toEqual({ tag: "t" });
    const select = /SELECT session_id.*NULL/.exec(sent[0]?.text ?? "")?.[0].replaceAll("-p1", "-p2");
    const plan = await place.run(`EXPLAIN ${select}`);
    expect(JSON.stringify(plan)).toMatch(
      /(?:Index|Bitmap Index) Scan (?:using|on) reins_sessions_tenant_project_key_session_id_key/,
    );
  });

  test("of subpaths do not read the entries", async () => {
    await using place = await createPlace(server);
    const store = place.open();
    for (const name of ["a", "b", "c"]) {
      const entries = Array.from({ length: 2_000 }, () => ({ type: "user" }));
      await store.append({ ...key, subpath: `subagents/agent-${name}` }, entries);
    }
    const { pool, sent } = watch(place.pool);
    expect(await place.open({ pool }).listSubkeys(key)).toHaveLength(3);
    const select = /WITH RECURSIVE[^;]*/.exec(sent[0]?.text ?? "")?.[0];
    await place.run("ANALYZE");
    const plan = JSON.stringify(await place.run(`EXPLAIN (ANALYZE, FORMAT JSON) ${select}`));
    const rowsRead = [...plan.matchAll(/"Actual Rows":(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...rowsRead)).toBeLessThan(10);
  });
});

/** 10,000 sessions in a project, and as many elsewhere. */
async function fill({ run, schema }: Place): Promise<void> {
  await run(`INSERT INTO ${schema}.reins_sessions (tenant, project_key, session_id, mtime, summary)
    SELECT '', '-p' || (n % 2), 's' || n, 1700000000000 + n, '{"tag":"t"}' FROM generate_series(1, 20000) AS n`);
  await run("ANALYZE");
}

test("a large session comes in chunks, each entry whole", async () => {
  await using place = await createPlace(server);
  const { pool, sent } = watch(place.pool);
  const store = place.open({ pool });
  const sizes = [10, 2_000_000, 2_000_000, 2_000_000, 2_000_000, 2_000_000, 9_000_000, 10, 10, 2_000_000];
  // Text that does not get shorter, so that what is stored is what is counted.
  const entries = sizes.map(
    (size, n): SessionStoreEntry => ({ type: "user", uuid: `${n}`, text: "é".repeat(size / 2) }),
  );
  for (const entry of entries) await store.append(key, [entry]);
  sent.length = 0;
  expect(await store.load(key)).toEqual(entries);
  // é is one unit and two bytes.
  expect(sent.length).toBeGreaterThan(2);
  expect(Math.max(...sent.map(({ received }) => received * 2))).toBeLessThan(8 * 1024 * 1024 + 9_000_000 + 100_000);
});

test("entries come back with their fields in order, and with what JSON can carry", async () => {
  await using place = await createPlace(server);
  const lines = [
    '{"type":"user","b":1,"a":{"z":[1,2,{"y":null,"x":true}],"k":""},"10":0,"2":0}',
    '{"uuid":"1","type":"user","numbers":[1e21,5e-324,12345678901234567000,0.1,1e-7]}',
    '{"type":"user","text":"\\u0000\\ud800 \\u2028 \\"\\\\\\n","\\u0000":"\\udfff"}',
  ];
  const entries = lines.map((line): SessionStoreEntry => JSON.parse(line));
  const store = place.open();
  await store.append(key, entries);
  const loaded = await store.load(key);
  expect(loaded).toEqual(entries);
  // toEqual does not look at the order.
  expect(loaded?.map((entry) => JSON.stringify(entry))).toEqual(entries.map((entry) => JSON.stringify(entry)));
});

test("calls of one store keep their order on many connections, with deletions between them", async () => {
  await using place = await createPlace(server);
  const store = place.open({ pool: place.connect({ max: 10 }) });
  const calls: Promise<void>[] = [];
  for (let n = 0; n < 50; n++) {
    if (n === 20) calls.push(store.delete(key));
    calls.push(
      store.append(key, [
        { type: "user", uuid: "again", n },
        { type: "user", n },
      ]),
    );
  }
  await Promise.all(calls);
  const numbers = (await store.load(key))?.map(({ n }) => n);
  expect(numbers).toEqual([20, ...Array.from({ length: 30 }, (_, n) => n + 20)]);
});
