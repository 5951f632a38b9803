import { RedisSessionStore } from "@reins/sessions-redis";
import { startRedis } from "@reins/test-servers/redis";
import { Redis } from "ioredis";
import { alternate, quantile, startClock } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";

const batchSize = 50;
const projectKey = "-home-user-project";

/**
 * What the store on Redis costs beside the bare client that writes and reads the same JSON: one RPUSH per batch and LRANGE of 4,000 entries
 * at a time, each parsed, without uuids, summary and index. The server is local and writes no disk.
 */
export const redisRows: readonly Row[] = [
  ...[1, 8].map(
    (writers): Row => ({
      name: `redis-append-${writers}`,
      title: `Redis: 400 appends of ${batchSize} entries of 1 KB, to ${writers === 1 ? "one session" : `${writers} sessions at once`}`,
      measure: (effort) => onServer((store, client) => appends(store, client, effort, writers)),
    }),
  ),
  {
    name: "redis-load-100mb",
    title: "Redis: load of 100 MB in entries of 1 KB, a tenth if quick",
    measure: (effort) => onServer((store, client) => loads(store, client, effort)),
  },
  {
    name: "redis-list-10000",
    title: "Redis: listSessionSummaries() of 10,000 sessions, 1,000 if quick",
    measure: (effort) => onServer((store, client) => lists(store, client, effort)),
  },
];

async function onServer(measure: (store: RedisSessionStore, client: Redis) => Promise<Samples[]>): Promise<Samples[]> {
  await using server = await startRedis();
  const client = new Redis(server.port);
  try {
    return await measure(new RedisSessionStore({ client }), client);
  } finally {
    client.disconnect();
  }
}

/** Batches one after the other, into so many sessions at once. */
function appends(store: RedisSessionStore, client: Redis, effort: Effort, writers: number): Promise<Samples[]> {
  const batches = 400;
  const write = async (append: (writer: number, batch: Entry[]) => Promise<unknown>): Promise<Cost> => {
    await client.flushall();
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
    "@reins/sessions-redis": () =>
      write((writer, batch) => store.append({ projectKey, sessionId: String(writer) }, batch)),
    ioredis: () => write((writer, batch) => pushBare(client, String(writer), batch)),
  });
}

async function loads(store: RedisSessionStore, client: Redis, effort: Effort): Promise<Samples[]> {
  const count = effort.quick ? 10_000 : 100_000;
  const key = { projectKey, sessionId: "large" };
  for (let n = 0; n < count; n += 2_000) {
    const batch = entriesOf(n, 2_000);
    await store.append(key, batch);
    await pushBare(client, "bare", batch);
  }
  return alternate(effort, {
    "@reins/sessions-redis": () => timed(count, async () => (await store.load(key)) ?? []),
    ioredis: () =>
      timed(count, async () => {
        const found: unknown[] = [];
        for (let start = 0; start < count; start += 4_000) {
          for (const json of await client.lrange("bare", start, start + 3_999)) found.push(JSON.parse(json));
        }
        return found;
      }),
  });
}

async function lists(store: RedisSessionStore, client: Redis, effort: Effort): Promise<Samples[]> {
  const count = effort.quick ? 1_000 : 10_000;
  const title = { type: "custom-title", customTitle: "What this session is about, in a few words" };
  for (let n = 0; n < count; n += 100) {
    const sessions = Array.from({ length: 100 }, (_, i) => ({ projectKey, sessionId: uuidOf(n + i) }));
    await Promise.all(sessions.map((session) => store.append(session, [...entriesOf(0, 2), title])));
  }
  const summaries = await store.listSessionSummaries(projectKey);
  await client.hset("bare", new Map(summaries.map((summary) => [summary.sessionId, JSON.stringify(summary)])));
  return alternate(effort, {
    "@reins/sessions-redis": () => timed(count, () => store.listSessionSummaries(projectKey)),
    ioredis: () =>
      timed(count, async () => Object.values(await client.hgetall("bare")).map((json): unknown => JSON.parse(json))),
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

function pushBare(client: Redis, list: string, batch: readonly Entry[]): Promise<unknown> {
  return client.rpush(list, ...batch.map((entry) => JSON.stringify(entry)));
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
