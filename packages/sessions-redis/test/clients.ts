import type { RedisCluster, RedisServer } from "@reins/test-servers/redis";
import { Cluster as Cluster6, Redis as Redis6 } from "ioredis";
import { Cluster as Cluster5, Redis as Redis5 } from "ioredis5";
import { createClient as createClient6, createCluster as createCluster6 } from "redis";
import { createClient as createClient4, createCluster as createCluster4 } from "redis4";
import type { RedisClient } from "../src/index.ts";

/** A connected client of one of the libraries. */
export interface TestClient extends AsyncDisposable {
  readonly client: RedisClient;
}

/** The clients that a store is tested with, on one server. */
export const singleClients: Readonly<Record<string, (server: RedisServer) => Promise<TestClient>>> = {
  "ioredis 6": async ({ port }) => ofIoRedis(new Redis6(port)),
  "ioredis 5": async ({ port }) => ofIoRedis(new Redis5(port)),
  "redis 6": async ({ url }) => ofNodeRedis(await createClient6({ url }).on("error", ignore).connect()),
  "redis 4": async ({ url }) => {
    const client = await createClient4({ url }).on("error", ignore).connect();
    return { client, [Symbol.asyncDispose]: () => client.disconnect() };
  },
};

/** The clients that a store is tested with, on a cluster. */
export const clusterClients: Readonly<Record<string, (cluster: RedisCluster) => Promise<TestClient>>> = {
  "ioredis 6": async ({ nodes }) => ofIoRedis(new Cluster6(nodes.map(({ host, port }) => ({ host, port })))),
  "ioredis 5": async ({ nodes }) => ofIoRedis(new Cluster5(nodes.map(({ host, port }) => ({ host, port })))),
  "redis 6": async ({ nodes }) => {
    const cluster = createCluster6({ rootNodes: nodes.map(({ url }) => ({ url })) }).on("error", ignore);
    await cluster.connect();
    return ofNodeRedis(cluster);
  },
  "redis 4": async ({ nodes }) => {
    const client = createCluster4({ rootNodes: nodes.map(({ url }) => ({ url })) }).on("error", ignore);
    await client.connect();
    return { client, [Symbol.asyncDispose]: () => client.disconnect() };
  },
};

/** Without a listener `ioredis` prints errors, and `redis` throws them. The calls fail anyway. */
function ignore(): void {}

function ofIoRedis(
  client: RedisClient & { on(event: "error", listener: () => void): unknown; disconnect(): void },
): TestClient {
  client.on("error", ignore);
  return {
    client,
    [Symbol.asyncDispose]: async () => client.disconnect(),
  };
}

function ofNodeRedis(client: RedisClient & { destroy(): void }): TestClient {
  return {
    client,
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}
