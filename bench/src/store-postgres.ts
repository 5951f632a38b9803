import { PostgresSessionStore } from "@reins/sessions-postgres";
import { startPostgres } from "@reins/test-servers/postgres";
import { Pool } from "pg";
import { alternate, quantile, startClock } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";

/** The CLI writes a handful of entries at a time; the mirror gathers up to 500. */
const batchSize = 50;
const projectKey = "-home-user-project";

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
    const work = Array.from({ length: batches }, (_, n) => entriesOf(n * batchSize, batchSize));
    const latencies: number[] = [];
    const stop = startClock();
    const writing = Array.from({ length: writers }, async (_, writer) => {
      for (let n = writer; n < batches; n += writers) {
        const began = performance.now();
        await append(writer, work[n] ?? []);
        latencies.push(performance.now() - began);
      }
    });
    await Promise.all(writing);
    const { ms, "ms CPU": cpu } = stop();
    return {
      "entries/s": (batches * batchSize * 1000) / ms,
      "ms median": quantile(latencies, 0.5),
      "ms 99th": quantile(latencies, 0.99),
      "ms CPU": cpu,
    };
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
    "@reins/sessions-postgres": () => timed(count, async () => (await store.load(key)) ?? []),
    pg: () =>
      timed(count, async () => {
        const { rows } = await pool.query("SELECT entry FROM bare ORDER BY id");
        return rows.map(({ entry }) => JSON.parse(entry));
      }),
  });
}

async function lists(store: PostgresSessionStore, pool: Pool, effort: Effort): Promise<Samples[]> {
  const count = effort.quick ? 1_000 : 10_000;
  const title = { type: "custom-title", customTitle: "What this session is about, in a few words" };
  for (let n = 0; n < count; n += 10) {
    const sessions = Array.from({ length: 10 }, (_, i) => ({ projectKey, sessionId: uuidOf(n + i) }));
    await Promise.all(sessions.map((session) => store.append(session, [...entriesOf(0, 2), title])));
  }
  await pool.query("CREATE TABLE bare_list AS SELECT session_id, mtime, summary FROM reins_sessions");
  await pool.query("VACUUM ANALYZE");
  return alternate(effort, {
    "@reins/sessions-postgres": () => timed(count, () => store.listSessionSummaries(projectKey)),
    pg: () =>
      timed(count, async () => {
        const { rows } = await pool.query("SELECT session_id, mtime, summary FROM bare_list");
        return rows.map(({ summary }) => JSON.parse(summary));
      }),
  });
}

async function timed(count: number, read: () => Promise<readonly unknown[]>): Promise<Cost> {
  const stop = startClock();
  const found = await read();
  if (found.length !== count) throw new Error(`${found.length} instead of ${count} came back.`);
  return stop();
}

interface Entry {
  readonly [field: string]: unknown;
  readonly type: string;
}

function insertBare(pool: Pool, batch: readonly Entry[]): Promise<unknown> {
  const lines = batch.map((entry) => JSON.stringify(entry)).join("\n");
  return pool.query("INSERT INTO bare (entry) SELECT * FROM unnest(string_to_array($1, E'\\n'))", [lines]);
}

/** Entries of about 1 KB, as the CLI writes them. */
function entriesOf(from: number, count: number): Entry[] {
  return Array.from({ length: count }, (_, n) => ({
    parentUuid: from + n === 0 ? null : uuidOf(from + n - 1),
    isSidechain: false,
    type: n % 2 === 0 ? "user" : "assistant",
    message: { role: n % 2 === 0 ? "user" : "assistant", content: `Line ${from + n}: "quoted" text\n`.repeat(20) },
    uuid: uuidOf(from + n),
    timestamp: new Date(1.7e12 + from + n).toISOString(),
    cwd: "/home/user/project",
    sessionId: uuidOf(0),
    version: "2.1.328",
    gitBranch: "main",
  }));
}

function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}
