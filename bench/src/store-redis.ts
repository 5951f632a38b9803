import { RedisSessionStore } from "@reins/sessions-redis";
import { startRedis } from "@reins/test-servers/redis";
import { Redis } from "ioredis";
import { alternate } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";
import { batchSize, type Entry, entriesOf, fillProject, projectKey, timeAppends, timeRead } from "./store-load.ts";

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
    return timeAppends(batches, writers, append);
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
    "@reins/sessions-redis": () => timeRead(count, async () => (await store.load(key)) ?? []),
    ioredis: () =>
      timeRead(count, async () => {
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
  await fillProject(count, 100, (session, entries) => store.append(session, entries));
  const summaries = await store.listSessionSummaries(projectKey);
  await client.hset("bare", new Map(summaries.map((summary) => [summary.sessionId, JSON.stringify(summary)])));
  return alternate(effort, {
    "@reins/sessions-redis": () => timeRead(count, () => store.listSessionSummaries(projectKey)),
    ioredis: () =>
      timeRead(count, async () => Object.values(await client.hgetall("bare")).map((json): unknown => JSON.parse(json))),
  });
}

function pushBare(client: Redis, list: string, batch: readonly Entry[]): Promise<unknown> {
  return client.rpush(list, ...batch.map((entry) => JSON.stringify(entry)));
}
