import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { inspect } from "node:util";
import { PostgresSessionStore, PostgresStoreError } from "@reins/sessions-postgres";
import { type PostgresServer, startPostgres } from "@reins/test-servers/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createPlace, type Place } from "./postgres-places.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 90_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const key = { projectKey: "-p", sessionId: "s" };
const entry = { type: "user", uuid: "1" };

/** Holds the row of the session until it is let go, as a writer that hangs would. */
async function holdSession(place: Place): Promise<() => Promise<void>> {
  const client = await place.pool.connect();
  await client.query(`BEGIN; SELECT FROM ${place.schema}.reins_sessions FOR UPDATE`);
  return async () => {
    await client.query("ROLLBACK");
    client.release();
  };
}

test("without tables every call says what to do", async () => {
  await using place = await createPlace(server, { migrated: false });
  const store = place.open();
  const calls = [
    () => store.append(key, [entry]),
    () => store.load(key),
    () => store.listSessions("-p"),
    () => store.listSessionSummaries("-p"),
    () => store.listSubkeys(key),
    () => store.delete(key),
    () => store.acquireSessionLease(key),
  ];
  for (const call of calls) {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PostgresStoreError);
    expect(error).toMatchObject({ sqlState: "42P01", retryable: false, effect: "none" });
    expect(String(error)).toContain("run migrate() first");
  }
  expect(place.pool.idleCount).toBe(place.pool.totalCount);
});

describe("a call that takes too long", () => {
  test("is ended by the server, and the connection can be used again", async () => {
    await using place = await createPlace(server);
    const pool = place.connect({ max: 1 });
    const store = place.open({ pool });
    await store.append(key, [entry]);
    const letGo = await holdSession(place);
    const hasty = place.open({ pool, timeoutMs: 500 });
    await expect(hasty.append(key, [{ type: "late" }])).rejects.toMatchObject({
      sqlState: "57014",
      retryable: true,
      effect: "none",
      operation: "append",
      key,
    });
    expect(await store.load(key)).toEqual([entry]);
    await letGo();
    await store.append(key, [{ type: "after" }]);
    expect(await store.load(key)).toEqual([entry, { type: "after" }]);
    expect(pool.totalCount).toBe(1);
  });

  test("is given up while it waits for a connection, which then goes back to the pool", async () => {
    await using place = await createPlace(server);
    const pool = place.connect({ max: 1 });
    const taken = await pool.connect();
    const hasty = place.open({ pool, timeoutMs: 100 });
    await expect(hasty.append(key, [entry])).rejects.toMatchObject({ retryable: true, effect: "none" });
    taken.release();
    await vi.waitFor(() => expect(pool.idleCount).toBe(1), 10_000);
    expect(await place.open({ pool }).load(key)).toBeNull();
  });

  test("is given up when the network swallows it", async () => {
    await using place = await createPlace(server);
    await using proxy = await startProxy(server);
    const pool = place.connect({ port: proxy.port });
    const store = place.open({ pool });
    await store.append(key, [entry]);
    proxy.swallow();
    const hasty = place.open({ pool, timeoutMs: 100 });
    // On the connection that is there, and on another that does not come about.
    await expect(hasty.append(key, [entry])).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining("no answer within 3100 ms"),
    });
    await expect(hasty.load(key)).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining("no connection within 100 ms"),
    });
    proxy.pass();
    expect(await store.load(key)).toEqual([entry]);
  });
});

test("when the answer to a commit is lost the effect is unknown, and a repetition stores what has a uuid once", async () => {
  await using place = await createPlace(server);
  await using proxy = await startProxy(server);
  const store = place.open({
    pool: place.connect({ port: proxy.port }),
  });
  await store.append(key, [entry]);
  proxy.cutBehind("; COMMIT");
  const next = { type: "user", uuid: "2" };
  await expect(store.append(key, [next])).rejects.toMatchObject({ retryable: true, effect: "unknown" });
  proxy.pass();
  await vi.waitFor(async () => expect(await store.load(key)).toEqual([entry, next]), 10_000);
  proxy.cutBehind("; COMMIT");
  await expect(store.listSessions("-p")).rejects.toMatchObject({ retryable: true, effect: "none" });
  proxy.pass();
  await store.append(key, [next]);
  expect(await store.load(key)).toEqual([entry, next]);
});

describe("a signal", () => {
  test("gives up a call that waits for a lock, of which nothing stays", async () => {
    await using place = await createPlace(server);
    const pool = place.connect({ max: 2 });
    const store = place.open({ pool });
    await store.append(key, [entry]);
    const letGo = await holdSession(place);
    const controller = new AbortController();
    const reason = new Error("enough");
    const waiting = store.append(key, [{ type: "first" }], { signal: controller.signal });
    // This one waits for its turn.
    const queued = store.append(key, [{ type: "second" }], { signal: controller.signal });
    const other = store.append(key, [{ type: "third" }]);
    await vi.waitFor(async () => {
      const [row] = await place.run("SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted");
      expect(row?.["n"]).toBe(1);
    }, 10_000);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(queued).rejects.toBe(reason);
    await letGo();
    await other;
    expect(await store.load(key)).toEqual([entry, { type: "third" }]);
  });

  test("that is aborted already lets nothing begin", async () => {
    await using place = await createPlace(server);
    const pool = place.connect();
    const store = place.open({ pool });
    const signal = AbortSignal.abort(new Error("before"));
    await expect(store.append(key, [entry], { signal })).rejects.toThrow("before");
    await expect(store.load(key, { signal })).rejects.toThrow("before");
    await expect(store.listSessions("-p", { signal })).rejects.toThrow("before");
    await expect(store.migrate({ signal })).rejects.toThrow("before");
    expect(pool.totalCount).toBe(0);
  });
});

test("a pool that was ended is said to be, and no retry is advised", async () => {
  await using place = await createPlace(server);
  const pool = new Pool({ connectionString: server.url });
  const store = place.open({ pool });
  await pool.end();
  await expect(store.load(key)).rejects.toMatchObject({ retryable: false, effect: "none" });
  await expect(store.load(key)).rejects.toThrow(/calling end on the pool/);
});

test("an entry that something else spoilt is named, and the others stay", async () => {
  await using place = await createPlace(server);
  const store = place.open();
  await store.append(key, [entry, { type: "user", uuid: "2" }]);
  await place.run(`UPDATE ${place.schema}.reins_entries SET entry = '{"type":' WHERE seq = 2`);
  await expect(store.load(key)).rejects.toThrow('The entry with seq 2 of session "s" is no JSON.');
  await store.append({ ...key, sessionId: "t" }, [entry]);
});

describe("no error shows credentials:", () => {
  const secret = "s3cret-pa55";
  test.each([
    ["refused", () => `postgresql://user:${secret}@127.0.0.1:1/db`],
    ["malformed", () => `postgresql://user:${secret}@[127/db`],
    ["unknown role", () => `postgresql://stranger:${secret}@127.0.0.1:${server.port}/postgres`],
    ["unknown database", () => `postgresql://postgres:${secret}@127.0.0.1:${server.port}/nowhere`],
  ])("%s", async (_, url) => {
    const pool = new Pool({ connectionString: url() });
    try {
      const store = new PostgresSessionStore({ pool });
      for (const call of [() => store.load(key), () => store.migrate()]) {
        const error: unknown = await call().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(Error);
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
      }
    } finally {
      await pool.end();
    }
  });
});

interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Hands everything on. */
  pass(): void;
  /** Takes what comes from either side, and hands nothing on. */
  swallow(): void;
  /** Hands on what the client says, and cuts its connection behind what has this text. */
  cutBehind(text: string): void;
}

/** Stands between a client and the server. */
async function startProxy({ host, port }: PostgresServer): Promise<Proxy> {
  let mode: "pass" | "swallow" | { readonly behind: string } = "pass";
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = connect(port, host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        upstream.end();
        client.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => {
      if (mode === "swallow") return;
      upstream.write(chunk);
      if (mode !== "pass" && chunk.includes(mode.behind)) client.destroy();
    });
    upstream.on("data", (chunk: Buffer) => {
      if (mode === "pass" || (mode !== "swallow" && !client.destroyed)) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    pass: () => {
      mode = "pass";
    },
    swallow: () => {
      mode = "swallow";
    },
    cutBehind: (behind) => {
      mode = { behind };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
