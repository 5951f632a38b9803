import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import {
  foldSessionSummary,
  InvalidEntryError,
  InvalidSessionKeyError,
  SessionInUseError,
  type SessionKey,
  SessionLeaseLostError,
  type SessionStoreEntry,
} from "@reins/sessions";
import { type RedisServer, startRedis } from "@reins/test-servers/redis";
import fc from "fast-check";
import { Redis } from "ioredis";
import { createClient, createClientPool } from "redis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type IoRedisClient,
  RedisSessionStore,
  RedisSessionStoreError,
  type RedisSessionStoreOptions,
} from "../src/index.ts";

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.port);
  redis.on("error", () => {});
});
afterAll(async () => {
  redis?.disconnect();
  await server?.[Symbol.asyncDispose]();
});

const session: SessionKey = { projectKey: "-project", sessionId: "s1" };
const agent: SessionKey = { ...session, subpath: "subagents/agent-a" };
const plain = (n: number): SessionStoreEntry => ({ type: "mode", n });
const named = (n: number): SessionStoreEntry => ({ type: "user", uuid: `u${n}`, n });

interface Fixture {
  readonly store: RedisSessionStore;
  readonly prefix: string;
  /** Keys below the prefix, without it. */
  readonly keys: () => Promise<string[]>;
}

function createStore(options: Partial<RedisSessionStoreOptions> = {}): Fixture {
  const prefix = `${randomUUID()}:`;
  const keys = async () => (await redis.keys(`${prefix}*`)).map((key) => key.slice(prefix.length)).sort();
  return { store: new RedisSessionStore({ client: redis, prefix, ...options }), prefix, keys };
}

/** Counts requests, and lets a test answer or fail some of them. */
function watchCalls(
  before: (call: number) => void | Promise<void> = () => {},
  after = before,
): { client: IoRedisClient; count: () => number } {
  let calls = 0;
  const client: IoRedisClient = {
    evalsha: async (...args) => {
      const call = ++calls;
      await before(call);
      const reply = await redis.evalsha(...args).catch((error: Error) => {
        // The script is sent again, whole: whether the server knows it is for other tests to decide.
        if (error.message.startsWith("NOSCRIPT")) calls--;
        throw error;
      });
      if (after !== before) await after(call);
      return reply;
    },
    eval: (...args) => {
      calls++;
      return redis.eval(...args);
    },
  };
  return { client, count: () => calls };
}

describe("round trips:", () => {
  test("an append is one, a retry too, and one that holds known and new entries is two", async () => {
    await createStore().store.append(session, [named(0)]);
    const { client, count } = watchCalls();
    const { store } = createStore({ client });
    await store.append(session, [named(1), plain(1), named(2)]);
    expect(count()).toBe(1);
    await store.append(session, [named(1), named(2)]);
    expect(count()).toBe(2);
    await store.append(session, [named(2), named(3)]);
    expect(count()).toBe(4);
    expect((await store.load(session))?.map(({ n }) => n)).toEqual([1, 1, 2, 3]);
    expect(count()).toBe(5);
  });

  test("10,000 sessions are listed in at most two, with summaries and without", async () => {
    const { client, count } = watchCalls();
    const { store } = createStore({ client });
    for (let start = 0; start < 10_000; start += 500) {
      const names = Array.from({ length: 500 }, (_, i) => `session-${start + i}`);
      await Promise.all(
        names.map((sessionId) =>
          store.append({ ...session, sessionId }, [{ type: "custom-title", customTitle: sessionId }]),
        ),
      );
    }
    const written = count();
    const rows = await store.listSessions("-project");
    expect(new Set(rows.map(({ sessionId }) => sessionId)).size).toBe(10_000);
    expect(count() - written).toBeLessThanOrEqual(2);
    const listed = count();
    const summaries = await store.listSessionSummaries("-project");
    expect(summaries.filter(({ sessionId, data }) => data["customTitle"] === sessionId)).toHaveLength(10_000);
    expect(count() - listed).toBeLessThanOrEqual(2);
    const times = new Map(rows.map(({ sessionId, mtime }) => [sessionId, mtime]));
    expect(summaries.every(({ sessionId, mtime }) => times.get(sessionId) === mtime)).toBe(true);
  });

  test("a server that does not know the scripts gets them, and order is kept", async () => {
    const { store } = createStore();
    await redis.script("FLUSH");
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.append(session, [named(n)])));
    expect((await store.load(session))?.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test("a large session is loaded in chunks of some 4 MiB", async () => {
    const { client, count } = watchCalls();
    const { store } = createStore({ client });
    const entries = Array.from({ length: 10 }, (_, n) => ({ ...named(n), text: `${"é".repeat(1_000_000)}${n}` }));
    await store.append(session, entries);
    const small = Array.from({ length: 5_000 }, (_, n) => ({ ...named(100 + n), text: "x".repeat(2_000) }));
    await store.append(session, small);
    const written = count();
    expect(await store.load(session)).toEqual([...entries, ...small]);
    expect(count() - written).toBeGreaterThanOrEqual(3);
    expect(count() - written).toBeLessThanOrEqual(5);
  });
});

test("the summary is the fold of what is stored, whatever the batches are and whatever of them is known already", async () => {
  const { store } = createStore();
  const text = fc.constantFrom<unknown>("a", "b", "", 5, null);
  const prompt = fc.constantFrom(
    "Hello",
    "<command-name>/x</command-name>",
    "<command-name>/y</command-name>",
    "<b>",
    "",
    "\ud83d\n\t😀",
  );
  const entry = fc
    .record(
      {
        type: fc.constantFrom("user", "tag", "relocated"),
        message: prompt.map((content) => ({ role: "user", content })),
        isSidechain: fc.boolean(),
        timestamp: fc.constantFrom<unknown>("2026-01-02", "no time", 5),
        uuid: fc.constantFrom("u1", "u2", "u3", "u4", "u5", "u6", undefined),
        cwd: text,
        relocatedCwd: text,
        customTitle: text,
        aiTitle: text,
        lastPrompt: text,
        summary: text,
        gitBranch: text,
        tag: text,
      },
      { requiredKeys: ["type"] },
    )
    // Fields of wrong types are the point.
    .map((fields) => JSON.parse(JSON.stringify(fields)) as SessionStoreEntry);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(entry, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      async (batches) => {
        const key = { projectKey: randomUUID(), sessionId: "s" };
        for (const batch of batches) {
          await store.append(key, batch);
          const [summary] = await store.listSessionSummaries(key.projectKey);
          expect(summary?.data).toEqual(foldSessionSummary(undefined, key, (await store.load(key)) ?? []).data);
        }
      },
    ),
    { numRuns: Number(process.env["REINS_FOLD_RUNS"] ?? 300) },
  );
});

describe("a retry of an append whose answer got lost", () => {
  test("stores nothing twice, entries without uuid included", async () => {
    const lost = watchCalls(
      () => {},
      (call) => {
        if (call === 1) throw new Error("Connection is closed.");
      },
    );
    const { store } = createStore({ client: lost.client });
    await store.append({ ...session, sessionId: "warm-up" }, [named(0)]).catch(() => {});
    const batch = [plain(1), named(1), plain(1)];
    const again = watchCalls(
      () => {},
      (call) => {
        if (call === 1) throw new Error("Connection is closed.");
      },
    );
    const { store: second } = createStore({ client: again.client });
    const error = await second.append(session, batch).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ operation: "append", key: session, retryable: true, mayBeDone: true });
    await second.append(session, batch);
    expect(await second.load(session)).toEqual(batch);
    // It is no retry any more, and what has no uuid is new.
    await second.append(session, batch);
    expect(await second.load(session)).toEqual([...batch, plain(1), plain(1)]);
  });

  test("that the client repeats by itself on a new connection stores nothing twice", async () => {
    const client: IoRedisClient = {
      evalsha: async (...args) => {
        await redis.evalsha(...args);
        return redis.evalsha(...args);
      },
      eval: (...args) => redis.eval(...args),
    };
    const { store } = createStore({ client });
    await store.append(session, [plain(1), named(1), plain(1)]);
    expect(await store.load(session)).toEqual([plain(1), named(1), plain(1)]);
  });
});

test("a lease whose request the client repeats by itself is given out, and to nobody else", async () => {
  const client: IoRedisClient = {
    evalsha: async (...args) => {
      await redis.evalsha(...args);
      return redis.evalsha(...args);
    },
    eval: async (...args) => {
      await redis.eval(...args);
      return redis.eval(...args);
    },
  };
  const { store } = createStore({ client });
  const lease = await store.acquireSessionLease(session, { owner: "worker" });
  await store.append(session, [named(1)], { lease });
  // Another request is another worker, whatever it is called.
  await expect(store.acquireSessionLease(session, { owner: "worker" })).rejects.toThrow(SessionInUseError);
  await store.releaseSessionLease(await store.renewSessionLease(lease));
  expect((await store.acquireSessionLease(session)).token).toBeGreaterThan(lease.token);
});

describe("ttlSeconds", () => {
  const dayMs = 86_400_000;
  const expiries = async ({ prefix, keys }: Fixture): Promise<Record<string, number>> => {
    const names = await keys();
    const ends = await Promise.all(names.map((name) => redis.pexpiretime(prefix + name)));
    return Object.fromEntries(names.map((name, i) => [name, ends[i] ?? 0]));
  };

  test("covers every key of a session, with one end for all of them, which moves with each write", async () => {
    const fixture = createStore({ ttlSeconds: 86_400 });
    await fixture.store.append(session, [named(1)]);
    await fixture.store.append(agent, [named(2)]);
    const before = await expiries(fixture);
    expect(Object.keys(before)).toHaveLength(8);
    const [end = 0] = Object.values(before);
    expect(end).toBeGreaterThan(Date.now() + dayMs);
    expect(end).toBeLessThanOrEqual(Date.now() + dayMs * 1.1 + 1);
    expect(Math.max(...Object.values(before)) - Math.min(...Object.values(before))).toBeLessThanOrEqual(2);
    // As if half of the time had passed.
    for (const name of Object.keys(before)) await redis.pexpireat(fixture.prefix + name, end - dayMs / 2);
    await fixture.store.append(session, [named(3)]);
    for (const moved of Object.values(await expiries(fixture))) expect(moved).toBeGreaterThanOrEqual(end - 2);
  });

  test("lets a session go as a whole, from the lists too, and a new one under its name begins anew", async () => {
    const fixture = createStore({ ttlSeconds: 0.2 });
    const { store, keys } = fixture;
    await store.append(session, [{ ...named(1), customTitle: "old" }]);
    await store.append(agent, [named(2)]);
    const lasting = new RedisSessionStore({ client: redis, prefix: fixture.prefix });
    await lasting.append({ ...session, sessionId: "stays" }, [named(1)]);
    await vi.waitFor(async () => expect(await store.load(session)).toBeNull(), { timeout: 10_000 });
    expect(await store.load(agent)).toBeNull();
    expect(await store.listSubkeys(session)).toEqual([]);
    await vi.waitFor(
      async () => {
        expect((await store.listSessions("-project")).map(({ sessionId }) => sessionId)).toEqual(["stays"]);
        expect((await store.listSessionSummaries("-project")).map(({ sessionId }) => sessionId)).toEqual(["stays"]);
      },
      { timeout: 10_000 },
    );
    await lasting.append(session, [named(1)]);
    const summaries = await store.listSessionSummaries("-project");
    expect(summaries.find(({ sessionId }) => sessionId === "s1")?.data).toEqual({ isSidechain: false });
    expect(await lasting.load(session)).toEqual([named(1)]);
    expect((await keys()).filter((key) => key.includes("agent"))).toEqual([]);
    expect(new Set(Object.values(await expiries(fixture)))).toEqual(new Set([-1]));
  });

  test("leaves nothing of a project whose sessions all expired", async () => {
    const { store, keys } = createStore({ ttlSeconds: 0.1 });
    await store.append(session, [named(1)]);
    await store.append({ ...agent, sessionId: "s2" }, [named(1)]);
    await vi.waitFor(async () => expect(await keys()).toEqual([]), { timeout: 10_000 });
  });

  test("is shortened by a writer with a shorter one", async () => {
    const fixture = createStore({ ttlSeconds: 86_400 });
    await fixture.store.append(session, [named(1)]);
    await fixture.store.append(agent, [named(1)]);
    await new RedisSessionStore({ client: redis, prefix: fixture.prefix, ttlSeconds: 60 }).append(session, [named(2)]);
    for (const end of Object.values(await expiries(fixture))) expect(end).toBeLessThanOrEqual(Date.now() + 66_001);
  });

  test("is taken back by a writer without it", async () => {
    const fixture = createStore({ ttlSeconds: 60 });
    await fixture.store.append(session, [named(1)]);
    await fixture.store.append(agent, [named(1)]);
    await new RedisSessionStore({ client: redis, prefix: fixture.prefix }).append(session, [named(2)]);
    expect(new Set(Object.values(await expiries(fixture)))).toEqual(new Set([-1]));
  });
});

test("delete leaves no key of a session, and of a project without sessions none but the last token", async () => {
  const { store, keys } = createStore();
  const lease = await store.acquireSessionLease(session);
  await store.append(session, [named(1)], { lease });
  await store.append(agent, [named(1)], { lease });
  await store.delete(agent, { lease });
  expect((await keys()).filter((key) => key.includes("agent") || key.includes("subpaths"))).toEqual([]);
  await store.append(agent, [named(1)], { lease });
  await store.delete(session, { lease });
  expect(await keys()).toEqual(["{-project}:fence"]);
});

test("keys hold nothing odd of what the parts hold, and all keys of a project have it as their hash tag", async () => {
  const { store, keys } = createStore();
  const odd = "a{b}c:*?[d]^\\e f\n\u0000%\ud800é";
  await store.append({ projectKey: odd, sessionId: odd, subpath: odd }, [named(1)]);
  const lease = await store.acquireSessionLease({ projectKey: odd, sessionId: odd }, { owner: odd });
  expect(lease.owner).toBe(odd);
  const escaped = "a%7bb%7dc%3a%2a%3f%5bd%5d%5e%5ce%20f%0a%00%25%ud800é";
  expect(await keys()).toEqual(
    [
      `{${escaped}}:entries:${escaped}:${escaped}`,
      `{${escaped}}:fence`,
      `{${escaped}}:lease:${escaped}`,
      `{${escaped}}:subpaths:${escaped}`,
      `{${escaped}}:uuids:${escaped}:${escaped}`,
    ].sort(),
  );
});

describe("what goes wrong:", () => {
  test("a refusal says operation, key, and whether it passes", async () => {
    const { store, prefix } = createStore();
    await redis.set(`${prefix}{-project}:entries:s1`, "not a list");
    const error = await store.load(session).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RedisSessionStoreError);
    expect(error).toMatchObject({ operation: "load", key: session, retryable: false });
    expect(String(error)).toMatch(/load failed for session "s1" \(project "-project"\): WRONGTYPE/);
    const busy: IoRedisClient = {
      evalsha: () => Promise.reject(new Error("LOADING Redis is loading the dataset in memory")),
      eval: () => Promise.reject(new Error("unused")),
    };
    const loading = createStore({ client: busy }).store.listSessions("-project");
    await expect(loading).rejects.toMatchObject({ key: { projectKey: "-project" }, retryable: true, mayBeDone: false });
  });

  test("an element that is no JSON is named", async () => {
    const { store, prefix } = createStore();
    await store.append(session, [named(0)]);
    await redis.rpush(`${prefix}{-project}:entries:s1`, "{torn");
    await expect(store.load(session)).rejects.toThrow(/Element 2 of the list of session "s1" .* is no JSON array/);
  });

  test("no password, no argument and no entry is in an error", async () => {
    const client = new Redis(server.port, {
      username: "nobody",
      password: "secret-word",
      lazyConnect: true,
      retryStrategy: () => null,
    });
    client.on("error", () => {});
    const { store } = createStore({ client });
    try {
      const error = await store
        .append(session, [{ type: "user", text: "secret-text" }])
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RedisSessionStoreError);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret/);
    } finally {
      client.disconnect();
    }
    const leaky = Object.assign(
      new Error("connect to rediss://me:secret-word@host:6379 and redis://:sec@ret@h failed"),
      {
        command: { name: "auth", args: ["secret-word"] },
        code: "ECONNREFUSED",
      },
    );
    const failing: IoRedisClient = { evalsha: () => Promise.reject(leaky), eval: () => Promise.reject(leaky) };
    const error = await createStore({ client: failing })
      .store.load(session)
      .catch((reason: unknown) => reason);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret|sec@|ret@/);
    expect(error).toMatchObject({
      message: expect.stringContaining("rediss://***@host:6379"),
      cause: { code: "ECONNREFUSED" },
    });
  });

  test("a server that never answers is a timeout, and one that is not there too", async () => {
    const sockets = new Set<{ destroy(): void }>();
    const silent = createServer((socket) => sockets.add(socket.on("error", () => {})));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const client = new Redis({ port: typeof address === "object" ? (address?.port ?? 0) : 0, disconnectTimeout: 10 });
    client.on("error", () => {});
    try {
      const { store } = createStore({ client, timeoutMs: 50 });
      const late = { operation: "append", retryable: true, mayBeDone: true, message: expect.stringContaining("50 ms") };
      await expect(store.append(session, [named(1)])).rejects.toMatchObject(late);
    } finally {
      client.disconnect();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    }
  });

  test("a client of redis that was closed is an error that does not pass", async () => {
    const client = createClient({ url: server.url });
    const { store } = createStore({ client });
    await expect(store.load(session)).rejects.toMatchObject({ retryable: false, mayBeDone: false });
  });

  test("what is wrong with arguments is said before anything is sent", async () => {
    const { client, count } = watchCalls();
    const { store } = createStore({ client });
    await expect(store.append({ ...session, sessionId: "" }, [])).rejects.toThrow(InvalidSessionKeyError);
    await expect(store.load({ ...session, subpath: "" })).rejects.toThrow(InvalidSessionKeyError);
    await expect(store.listSessions("")).rejects.toThrow(InvalidSessionKeyError);
    const cyclic: SessionStoreEntry = { type: "user" };
    cyclic["self"] = cyclic;
    // What code without types may give.
    for (const bad of [5, null, [], {}, cyclic, { type: "user", toJSON: () => "x" }] as SessionStoreEntry[]) {
      await expect(store.append(session, [named(1), bad])).rejects.toThrow(InvalidEntryError);
    }
    await expect(store.acquireSessionLease(session, { ttlMs: 0 })).rejects.toThrow(RangeError);
    const lease = { ...session, owner: "o", token: 1, expiresAt: 0 };
    await expect(store.append({ ...session, sessionId: "other" }, [named(1)], { lease })).rejects.toThrow(
      SessionLeaseLostError,
    );
    expect(count()).toBe(0);
    for (const wrong of [{ prefix: "a{b" }, { prefix: "a}b" }]) expect(() => createStore(wrong)).toThrow(TypeError);
    for (const wrong of [{ ttlSeconds: 0 }, { ttlSeconds: Number.NaN }, { ttlSeconds: 1e10 }, { timeoutMs: -1 }]) {
      expect(() => createStore(wrong)).toThrow(RangeError);
    }
    // What code without types may give.
    for (const no of [undefined, {}, "redis://"])
      expect(() => new RedisSessionStore({ client: no as IoRedisClient })).toThrow(TypeError);
  });
});

describe("a signal", () => {
  test("that is aborted already sends nothing, and gives its reason", async () => {
    const { client, count } = watchCalls();
    const { store } = createStore({ client });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(store.append(session, [named(1)], { signal })).rejects.toThrow("enough");
    await expect(store.load(session, { signal })).rejects.toThrow("enough");
    await expect(store.delete(session, { signal })).rejects.toThrow("enough");
    await expect(store.listSessions("-project", { signal })).rejects.toThrow("enough");
    await expect(store.listSessionSummaries("-project", { signal })).rejects.toThrow("enough");
    await expect(store.listSubkeys(session, { signal })).rejects.toThrow("enough");
    expect(count()).toBe(0);
  });

  test("gives up a write that waits behind another, which is never sent, and one under way, whose retry stores nothing twice", async () => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { client, count } = watchCalls((call) => (call === 1 ? held : undefined));
    const { store } = createStore({ client });
    const controller = new AbortController();
    const first = store.append(session, [plain(1)], { signal: controller.signal });
    const second = store.append(session, [plain(2)], { signal: controller.signal });
    const settled = Promise.allSettled([first, second]);
    controller.abort(new Error("enough"));
    expect((await settled).map((each) => each.status === "rejected" && String(each.reason))).toEqual([
      "Error: enough",
      "Error: enough",
    ]);
    answer();
    await store.append(session, [plain(1)]);
    expect(await store.load(session)).toEqual([plain(1)]);
    expect(count()).toBe(3);
  });
});

test("a lease that somebody else holds says who and until when", async () => {
  const { store } = createStore();
  const lease = await store.acquireSessionLease(session, { owner: "worker-1", ttlMs: 60_000 });
  const error = await store.append(session, [named(1)]).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SessionInUseError);
  expect(error).toMatchObject({
    holder: { by: "lease", owner: "worker-1", expiresAt: lease.expiresAt },
    retryable: true,
  });
});

test("takes a client with a key prefix, a pool, and a client that gives bytes", async () => {
  const prefixed = new Redis(server.port, { keyPrefix: "own:" });
  const pool = createClientPool({ url: server.url });
  try {
    await pool.connect();
    for (const client of [prefixed, pool]) {
      const { store } = createStore({ client, ttlSeconds: 60 });
      await store.append(session, [named(1)]);
      await store.append(agent, [named(1)]);
      expect(await store.load(session)).toEqual([named(1)]);
      expect(await store.listSubkeys(session)).toEqual([agent.subpath]);
      await store.delete(session);
      expect(await store.load(agent)).toBeNull();
      expect(await store.listSessions("-project")).toEqual([]);
    }
    const toBytes = (reply: unknown): unknown =>
      typeof reply === "string" ? Buffer.from(reply) : Array.isArray(reply) ? reply.map(toBytes) : reply;
    const bytes: IoRedisClient = {
      evalsha: async (...args) => toBytes(await redis.evalsha(...args)),
      eval: async (...args) => toBytes(await redis.eval(...args)),
    };
    const { store } = createStore({ client: bytes });
    await store.append(session, [{ ...named(1), text: "é" }]);
    expect(await store.load(session)).toEqual([{ ...named(1), text: "é" }]);
    expect(await store.listSessionSummaries("-project")).toHaveLength(1);
  } finally {
    prefixed.disconnect();
    pool.destroy();
  }
});

test("needs no more permissions than the README names", async () => {
  const readme = await readFile(join(import.meta.dirname, "..", "README.md"), "utf8");
  const commands = /\*\*Permissions\.\*\* `([^`]+)`/.exec(readme)?.[1]?.split(/\s+/) ?? [];
  expect(commands.length).toBeGreaterThan(20);
  await redis.call("ACL", "SETUSER", "worker", "on", ">word", "~worker:*", ...commands);
  const client = new Redis(server.port, { username: "worker", password: "word", enableReadyCheck: false });
  client.on("error", () => {});
  try {
    const store = new RedisSessionStore({ client, prefix: "worker:", ttlSeconds: 60 });
    const lease = await store.acquireSessionLease(session);
    await store.append(session, [named(1)], { lease });
    await store.append(agent, [named(1), plain(1)], { lease });
    await store.renewSessionLease(lease);
    await store.releaseSessionLease(lease);
    await new RedisSessionStore({ client, prefix: "worker:" }).append(session, [named(1), named(2)]);
    expect(await store.load(session)).toHaveLength(2);
    expect(await store.listSessions("-project")).toHaveLength(1);
    expect(await store.listSessionSummaries("-project")).toHaveLength(1);
    expect(await store.listSubkeys(session)).toHaveLength(1);
    await store.delete(agent);
    await store.delete(session);
    expect(await store.load(session)).toBeNull();
    const { store: elsewhere } = createStore({ client, prefix: "other:" });
    await expect(elsewhere.load(session)).rejects.toMatchObject({ retryable: false });
  } finally {
    client.disconnect();
  }
});
