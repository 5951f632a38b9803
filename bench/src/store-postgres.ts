import { PostgresSessionStore } from "@reins/sessions-postgres";
import { startPostgres } from "@reins/test-servers/postgres";
import { Pool } from "pg";
import { alternate } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";
import { batchSize, type Entry, entriesOf, fillProject, projectKey, timeAppends, timeRead } from "./store-load.ts";

/**
 * What the store on Postgres costs beside the bare client that writes and reads the same bytes: one statement per batch into a table of a
 * number and a text, one SELECT for all of it, each line parsed. The server is local and forces its log to the disk.
 */
export const postgresRows: readonly Row[] = [
  ...[1, 8].map(
    (writers): Row => ({
      name: `postgres-append-${writers}`,
      title: `Postgres: 200 appends of ${batchSize} entries of 1 KB, to ${writers === 1 ? "one session" : `${writers} sessions at once`}`,
      measure: (effort) => onServer((store, pool) => appends(store, pool, effort, writers)),
    }),
  ),
  {
    name: "postgres-load-100mb",
    title: "Postgres: load of 100 MB in entries of 1 KB, a tenth if quick",
    measure: (effort) => onServer((store, pool) => loads(store, pool, effort)),
  },
  {
    name: "postgres-list-10000",
    title: "Postgres: listSessionSummaries() of 10,000 sessions, 1,000 if quick",
    measure: (effort) => onServer((store, pool) => lists(store, pool, effort)),
  },
];

async function onServer(measure: (store: PostgresSessionStore, pool: Pool) => Promise<Samples[]>): Promise<Samples[]> {
  await using server = await startPostgres({ settings: { fsync: "on" } });
  const pool = new Pool({ connectionString: server.url });
  try {
    const store = new PostgresSessionStore({ pool });
    await store.migrate();
    await pool.query("CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, entry text NOT NULL)");
    return await measure(store, pool);
  } finally {
    await pool.end();
  }
}

/** Batches one after the other, into so many sessions at once. */
function appends(store: PostgresSessionStore, pool: Pool, effort: Effort, writers: number): Promise<Samples[]> {
  const batches = 200;
  let run = 0;
  const write = async (append: (writer: number, batch: Entry[]) => Promise<unknown>): Promise<Cost> => {
    run++;
    return timeAppends(batches, writers, append);
  };
  return alternate(effort, {
    "@reins/sessions-postgres": () =>
      write((writer, batch) => store.append({ projectKey, sessionId: `${run}-${writer}` }, batch)),
    pg: () => write((_, batch) => insertBare(pool, batch)),
  });
}

async function loads(store: PostgresSessionStore, pool: Pool, effort: Effort): Promise<Samples[]> {
  const count = effort.quick ? 10_000 : 100_000;
  const key = { projectKey, sessionId: "large" };
  for (let n = 0; n < count; n += 2_000) {
    const batch = entriesOf(n, 2_000);
    await store.append(key, batch);
    await insertBare(pool, batch);
  }
  await pool.query("VACUUM ANALYZE");
  return alternate(effort, {
    "@reins/sessions-postgres": () => timeRead(count, async () => (await store.load(key)) ?? []),
    pg: () =>
      timeRead(count, async () => {
        const { rows } = await pool.query("SELECT entry FROM bare ORDER BY id");
        return rows.map(({ entry }) => JSON.parse(entry));
      }),
  });
}

async function lists(store: PostgresSessionStore, pool: Pool, effort: Effort): Promise<Samples[]> {
  const count = effort.quick ? 1_000 : 10_000;
  await fillProject(count, 10, (session, entries) => store.append(session, entries));
  await pool.query("CREATE TABLE bare_list AS SELECT session_id, mtime, summary FROM reins_sessions");
  await pool.query("VACUUM ANALYZE");
  return alternate(effort, {
    "@reins/sessions-postgres": () => timeRead(count, () => store.listSessionSummaries(projectKey)),
    pg: () =>
      timeRead(count, async () => {
        const { rows } = await pool.query("SELECT session_id, mtime, summary FROM bare_list");
        return rows.map(({ summary }) => JSON.parse(summary));
      }),
  });
}

function insertBare(pool: Pool, batch: readonly Entry[]): Promise<unknown> {
  const lines = batch.map((entry) => JSON.stringify(entry)).join("\n");
  return pool.query("INSERT INTO bare (entry) SELECT * FROM unnest(string_to_array($1, E'\\n'))", [lines]);
}
