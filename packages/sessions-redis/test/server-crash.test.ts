import type { SessionKey } from "@reins/sessions";
import { startRedis } from "@reins/test-servers/redis";
import { expect, test, vi } from "vitest";
import { RedisSessionStore, RedisSessionStoreError } from "../src/index.ts";
import { singleClients } from "./clients.ts";

const kills = Number(process.env["REINS_STORE_KILLS"] ?? 3);
const writers = 4;

test.each(Object.entries(singleClients))(
  "a server that is killed and comes back again and again loses nothing that was acknowledged, and the store goes on (%s)",
  async (_name, connect) => {
    await using server = await startRedis({ durable: true });
    await using own = await connect(server);
    const store = new RedisSessionStore({ client: own.client, timeoutMs: 500 });
    const keys: SessionKey[] = Array.from({ length: writers }, (_, n) => ({
      projectKey: "-project",
      sessionId: `s${n}`,
    }));
    const acknowledged = keys.map((): number[] => []);
    const errors: unknown[] = [];
    let isOver = false;

    /** As a host does: a batch again and again until it is taken. Some entries have no uuid. */
    const write = async (key: SessionKey, done: number[]): Promise<void> => {
      for (let n = 0; !isOver; n += 2) {
        const batch = [
          { type: "user", uuid: `u${n}`, n },
          { type: "mode", n: n + 1 },
        ];
        for (let isTaken = false; !isTaken; ) {
          isTaken = await store.append(key, batch).then(
            () => true,
            (error: unknown) => {
              errors.push(error);
              return false;
            },
          );
        }
        done.push(n, n + 1);
      }
    };
    const writing = Promise.all(keys.map((key, index) => write(key, acknowledged[index] ?? [])));
    const count = () => acknowledged.flat().length;
    const grow = async (): Promise<void> => {
      const before = count();
      await vi.waitFor(() => expect(count()).toBeGreaterThan(before + 20), { timeout: 20_000 });
    };
    try {
      for (let n = 0; n < kills; n++) {
        await grow();
        const failed = errors.length;
        await server.kill();
        await vi.waitFor(() => expect(errors.length).toBeGreaterThan(failed), { timeout: 20_000 });
        await server.restart();
        await grow();
      }
    } finally {
      isOver = true;
      // Whoever still tries needs a server.
      await server.restart();
    }
    await writing;
    for (const [index, key] of keys.entries()) {
      expect((await store.load(key))?.map(({ n }) => n)).toEqual(acknowledged[index]);
    }
    for (const error of errors) {
      expect(error).toBeInstanceOf(RedisSessionStoreError);
      expect(error).toMatchObject({ operation: "append", retryable: true, key: { projectKey: "-project" } });
    }
  },
  120_000,
);
