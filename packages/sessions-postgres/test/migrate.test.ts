import { PostgresMigrationError } from "@reins/sessions-postgres";
import { type PostgresServer, startPostgres } from "@reins/test-servers/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateTables } from "../src/migrate.ts";
import { nameTables } from "../src/tables.ts";
import { createPlace } from "./postgres-places.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 90_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const key = { projectKey: "-p", sessionId: "s" };
const first = { version: 1, connectTimeoutMs: 30_000 };

test("tables are made once, by whoever of many comes first", async () => {
  await using place = await createPlace(server, { migrated: false });
  const stores = Array.from({ length: 8 }, () => place.open({ pool: place.connect({ max: 1 }) }));
  const reports = await Promise.all(stores.map((store) => store.migrate()));
  expect(reports.filter(({ from }) => from === 0)).toEqual([{ from: 0, to: 2 }]);
  expect(await place.open().migrate()).toEqual({ from: 2, to: 2 });
});

test("stores with prefixes of their own share a schema that none of them finds", async () => {
  await using place = await createPlace(server, { migrated: false });
  const stores = Array.from({ length: 8 }, (_, n) =>
    place.open({ pool: place.connect({ max: 1 }), tablePrefix: `store${n}_` }),
  );
  const reports = await Promise.all(stores.map((store) => store.migrate()));
  expect(reports).toEqual(stores.map(() => ({ from: 0, to: 2 })));
});

test("tables of the first version are brought up to date with what is in them", async () => {
  await using place = await createPlace(server, { migrated: false });
  const tables = nameTables(place.schema, "reins_");
  expect(await migrateTables(place.pool, tables, first)).toEqual({ from: 0, to: 1 });
  // As the first version wrote it.
  await place.run(`
    INSERT INTO ${tables.sessions} (tenant, project_key, session_id, mtime, summary) VALUES ('', '-p', 's', 1700000000000, '{"tag":"old"}');
    INSERT INTO ${tables.entries} (session, subpath, seq, uuid, entry)
      SELECT id, subpath, n, 'u' || n, '{"type":"user","uuid":"u' || n || '"}'
      FROM ${tables.sessions}, generate_series(1, 3) n, (VALUES (''), ('subagents/agent-a')) AS s (subpath)`);

  const store = place.open();
  expect(await store.migrate()).toEqual({ from: 1, to: 2 });
  const old = [1, 2, 3].map((n) => ({ type: "user", uuid: `u${n}` }));
  expect(await store.load(key)).toEqual(old);
  expect(await store.listSessionSummaries("-p")).toEqual([
    { sessionId: "s", mtime: 1_700_000_000_000, data: { tag: "old" } },
  ]);
  const lease = await store.acquireSessionLease(key);
  await store.append(key, [...old, { type: "user", uuid: "u4" }], { lease });
  expect(await store.load(key)).toHaveLength(4);
  expect(await store.load({ ...key, subpath: "subagents/agent-a" })).toEqual(old);
});

test("a step that fails leaves the version before it, and can be done again", async () => {
  await using place = await createPlace(server, { migrated: false });
  const tables = nameTables(place.schema, "reins_");
  await migrateTables(place.pool, tables, first);
  await place.run(`CREATE SEQUENCE ${tables.leaseTokens}`);
  const failed = place.open().migrate();
  await expect(failed).rejects.toBeInstanceOf(PostgresMigrationError);
  await expect(failed).rejects.toMatchObject({ sqlState: "42P07", retryable: false });
  const columns = await place.run(
    "SELECT FROM information_schema.columns WHERE table_schema = $1 AND column_name LIKE 'lease%'",
    [place.schema],
  );
  expect(columns).toEqual([]);
  await place.run(`DROP SEQUENCE ${tables.leaseTokens}`);
  expect(await place.open().migrate()).toEqual({ from: 1, to: 2 });
});

test("tables of a later version are left alone", async () => {
  await using place = await createPlace(server);
  await place.run(`INSERT INTO ${place.schema}.reins_migrations (version) VALUES (99)`);
  await expect(place.open().migrate()).rejects.toThrow(/of version 99, and this package knows 2; update it/);
});

test("a database that cannot hold all text is refused", async () => {
  await using place = await createPlace(server, { migrated: false });
  await place.run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  const store = place.open({ pool: place.connect({ database: "latin" }) });
  await expect(store.migrate()).rejects.toThrow(/the encoding of the database is LATIN1/);
});

test("a role without the right to create is told so", async () => {
  await using place = await createPlace(server, { migrated: false });
  await place.run("CREATE ROLE nobody LOGIN");
  const store = place.open({ pool: place.connect({ user: "nobody" }) });
  await expect(store.migrate()).rejects.toMatchObject({ sqlState: "42501", retryable: false });
});
