import { randomUUID } from "node:crypto";
import { type SessionStoreFactory, sessionStoreChecks } from "@reins/sessions/conformance";
import { type RedisCluster, type RedisServer, startRedis, startRedisCluster } from "@reins/test-servers/redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RedisSessionStore } from "../src/index.ts";
import { clusterClients, singleClients, type TestClient } from "./clients.ts";

/** `pnpm run stress` in the package asks for 50,000 entries. */
const sizes = { largeSessionEntries: Number(process.env["REINS_STORE_ENTRIES"] ?? 3_000) };

function describeConformance<S extends AsyncDisposable>(
  what: string,
  start: () => Promise<S>,
  clients: Readonly<Record<string, (server: S) => Promise<TestClient>>>,
): void {
  describe(what, () => {
    let server: S | undefined;
    const shared: TestClient[] = [];
    beforeAll(async () => {
      server = await start();
    });
    afterAll(async () => {
      for (const each of shared) await each[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    describe.each(Object.entries(clients))("with %s", (_name, connect) => {
      const prefixes = new WeakMap<RedisSessionStore, string>();
      const opened: TestClient[] = [];
      const open = (own: TestClient | undefined, prefix: string): RedisSessionStore => {
        if (own === undefined) throw new Error("The client is not connected.");
        const store = new RedisSessionStore({ client: own.client, prefix });
        prefixes.set(store, prefix);
        return store;
      };
      let first: TestClient | undefined;
      beforeAll(async () => {
        first = await connect(server as S);
        shared.push(first);
      });
      const openAgain = async (store: RedisSessionStore): Promise<RedisSessionStore> => {
        const own = await connect(server as S);
        opened.push(own);
        return open(own, prefixes.get(store) ?? "");
      };
      const factory: SessionStoreFactory<RedisSessionStore> = {
        capabilities: ["listSessions", "listSessionSummaries", "delete", "listSubkeys", "leases"],
        create: () => open(first, `${randomUUID()}:`),
        reopen: openAgain,
        connect: openAgain,
        // Each check has stores of its own, and they are done when it destroys one.
        destroy: async () => {
          for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
        },
      };
      const checks = sessionStoreChecks(factory, sizes);
      test.each(checks.filter(({ skip }) => skip === undefined))("$name: $title", (check) => check.run(), 130_000);
      test("is spared only what an atomic append cannot leave", () => {
        const skipped = checks.filter(({ skip }) => skip !== undefined);
        expect(new Set(skipped.map(({ skip }) => skip))).toEqual(new Set(["the factory cannot crash a store"]));
      });
    });
  });
}

describeConformance<RedisServer>("a server", startRedis, singleClients);
describeConformance<RedisCluster>("a cluster of three masters", startRedisCluster, clusterClients);
