import { randomUUID } from "node:crypto";
import { PostgresSessionStore } from "@reins/sessions-postgres";
import { type PostgresServer, startPostgres } from "@reins/test-servers/postgres";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toKeyText } from "../src/key-text.ts";
import { quoteLiteral } from "../src/quote.ts";
import { createPlace } from "./postgres-places.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 90_000);
afterAll(() => server?.[Symbol.asyncDispose]());

/** What ends a literal or an identifier, begins a comment or a parameter, or is cut, folded or normalised somewhere. */
const hostile = [
  ..."'|\"|\\|`|;|--|/*|*/|$1|$$|%|_|.|(|)|?|:x|@|\u0001|\t|\r|\u0085|\u2028|\ufeff|😀|caf\u00e9|cafe\u0301|A|a".split(
    "|",
  ),
  "|",
  " ",
  "\n",
  "\\'; DROP TABLE x; --",
  "E'\\''",
  "');SELECT pg_sleep(9)--",
];

test("a literal comes back from the server as it was", async () => {
  await using place = await createPlace(server, { migrated: false });
  const text = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));
  const values = [...hostile, ...fc.sample(text, 300)].map(toKeyText);
  for (const setting of ["on", "off"]) {
    const [, answer] = (await place.pool.query(
      `SET standard_conforming_strings = ${setting}; SELECT ARRAY[${values.map(quoteLiteral).join(",")}] AS found; RESET ALL`,
    )) as unknown as { rows: { found: string[] }[] }[];
    expect(answer?.rows[0]?.found).toEqual(values);
  }
});

test("tenants, owners and keys of any characters stay apart and come back", async () => {
  await using place = await createPlace(server);
  for (const text of [...hostile, "a\u0000b", "\ud83d"]) {
    const store = place.open({ tenant: text });
    const key = { projectKey: text, sessionId: text, subpath: text };
    await store.append({ projectKey: text, sessionId: text }, [{ type: "user", uuid: text, text }]);
    await store.append(key, [{ type: "user", uuid: text, text }]);
    await store.append(key, [{ type: "user", uuid: text, text: "the same uuid" }]);
    expect(await store.load(key)).toEqual([{ type: "user", uuid: text, text }]);
    expect(await store.listSubkeys(key)).toEqual([text]);
    expect((await store.listSessions(text)).map(({ sessionId }) => sessionId)).toEqual([text]);
    expect((await store.listSessionSummaries(text)).map(({ sessionId }) => sessionId)).toEqual([text]);
    const lease = await store.acquireSessionLease(key, { owner: text });
    await expect(store.append(key, [{ type: "user" }])).rejects.toMatchObject({ holder: { owner: text } });
    await store.append(key, [{ type: "user" }], { lease });
  }
  const [count] = await place.run(`SELECT count(*)::int AS n FROM ${place.schema}.reins_sessions`);
  expect(count).toEqual({ n: hostile.length + 2 });
});

test("schemas and prefixes of any characters are made and used, and stay apart", async () => {
  await using place = await createPlace(server, { migrated: false });
  for (const text of hostile) {
    const schema = `${randomUUID().slice(0, 8)}${text}`;
    const stores = [place.open({ schema }), place.open({ schema, tablePrefix: `${text}x` })];
    for (const [n, store] of stores.entries()) {
      await store.migrate();
      await store.append({ projectKey: "-p", sessionId: "s" }, [{ type: "user", n }]);
      await store.releaseSessionLease(await store.acquireSessionLease({ projectKey: "-p", sessionId: "s" }));
    }
    const loaded = stores.map((store) => store.load({ projectKey: "-p", sessionId: "s" }));
    expect(await Promise.all(loaded)).toEqual([[{ type: "user", n: 0 }], [{ type: "user", n: 1 }]]);
  }
});

describe("options that cannot be are refused:", () => {
  test.each([
    [{ schema: "" }, TypeError],
    [{ schema: "a\u0000" }, TypeError],
    [{ schema: "x".repeat(64) }, RangeError],
    [{ tablePrefix: "x".repeat(55) }, RangeError],
    [{ tenant: "" }, TypeError],
    [{ timeoutMs: 0 }, RangeError],
    [{ timeoutMs: 1.5 }, RangeError],
  ])("%o", async (options, kind) => {
    await using place = await createPlace(server, { migrated: false });
    expect(() => place.open(options)).toThrow(kind);
  });
});

test("a key that is longer than an index takes is refused, before anything is sent", async () => {
  await using place = await createPlace(server);
  const store = place.open();
  const long = { projectKey: "p".repeat(1_000), sessionId: "s".repeat(1_500), subpath: "x".repeat(2_000) };
  const entry = { type: "user", uuid: "u".repeat(100_000) };
  await store.append(long, [entry, entry, { type: "user", uuid: "u".repeat(500) }]);
  expect(await store.load(long)).toHaveLength(2);
  await expect(store.append({ ...long, sessionId: "s".repeat(1_501) }, [entry])).rejects.toMatchObject({
    operation: "append",
    retryable: false,
    message: expect.stringContaining("2501 bytes"),
  });
  await expect(store.load({ ...long, subpath: "x".repeat(2_001) })).rejects.toThrow("2001 bytes");
});

test("without a schema the search path decides", async () => {
  await using place = await createPlace(server);
  const pool = place.connect({ options: `-c search_path=${place.schema}` });
  const store = new PostgresSessionStore({ pool });
  expect(await store.migrate()).toEqual({ from: 2, to: 2 });
  await store.append({ projectKey: "-p", sessionId: "s" }, [{ type: "user" }]);
  expect(await place.open().load({ projectKey: "-p", sessionId: "s" })).toEqual([{ type: "user" }]);
});
