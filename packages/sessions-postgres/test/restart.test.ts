import { once } from "node:events";
import type { SessionKey } from "@reins/sessions";
import { PostgresStoreError } from "@reins/sessions-postgres";
import { type PostgresServer, startPostgres } from "@reins/test-servers/postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createPlace } from "./postgres-places.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { synchronous_commit: "on" } });
}, 90_000);
afterAll(() => server?.[Symbol.asyncDispose]());

test("a server that is killed and started again loses nothing that was acknowledged, and the store goes on", async () => {
  await using place = await createPlace(server);
  const store = place.open();
  const acknowledged = new Map<string, string[]>();
  const errors: unknown[] = [];
  let isOver = false;
  let sinceRestart = 0;

  // Writers that never give up, as a host with a mirror would not.
  const write = async (key: SessionKey) => {
    const own: string[] = [];
    acknowledged.set(JSON.stringify(key), own);
    for (let n = 0; !isOver; ) {
      const uuids = [0, 1, 2].map((i) => `${n}-${i}`);
      try {
        await store.append(
          key,
          uuids.map((uuid) => ({ type: "user", uuid, text: "x".repeat(1_000) })),
        );
        own.push(...uuids);
        sinceRestart++;
        n++;
      } catch (error) {
        errors.push(error);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  const keys: SessionKey[] = Array.from({ length: 4 }, (_, n) => ({ projectKey: "-project", sessionId: `s${n}` }));
  keys.push({ projectKey: "-project", sessionId: "s0", subpath: "subagents/agent-a" });
  const writing = Promise.all(keys.map(write));
  try {
    for (let kill = 0; kill < 2; kill++) {
      sinceRestart = 0;
      await vi.waitFor(() => expect(sinceRestart).toBeGreaterThan(40), { timeout: 20_000, interval: 5 });
      const failedBefore = errors.length;
      await server.kill();
      await vi.waitFor(() => expect(errors.length).toBeGreaterThan(failedBefore + 3), { timeout: 20_000, interval: 5 });
      await server.restart();
    }
    sinceRestart = 0;
    await vi.waitFor(() => expect(sinceRestart).toBeGreaterThan(40), { timeout: 20_000, interval: 5 });
  } finally {
    isOver = true;
    await writing;
  }

  for (const key of keys) {
    const expected = acknowledged.get(JSON.stringify(key)) ?? [];
    const found = (await store.load(key))?.map(({ uuid }) => uuid);
    // The batch that was under way at the end of the test was acknowledged, too.
    expect(found).toEqual(expected);
  }
  for (const error of errors) {
    expect(error).toBeInstanceOf(PostgresStoreError);
    expect(error).toMatchObject({ operation: "append", retryable: true, key: { projectKey: "-project" } });
  }
}, 150_000);

test("idle connections that die do not end the process, also when nobody else listens to the pool", async () => {
  await using place = await createPlace(server, { migrated: false });
  const pool = place.connect({ max: 3 });
  const store = place.open({ pool });
  expect(pool.listenerCount("error")).toBe(1);
  await store.migrate();
  place.open({ pool });
  expect(pool.listenerCount("error")).toBe(1);
  expect(pool.idleCount).toBe(1);
  const died = once(pool, "error");
  await server.kill();
  await died;
  await vi.waitFor(() => expect(pool.totalCount).toBe(0), 10_000);
  await server.restart();
  await store.append({ projectKey: "-project", sessionId: "s" }, [{ type: "user" }]);
  expect(await store.load({ projectKey: "-project", sessionId: "s" })).toEqual([{ type: "user" }]);
});
