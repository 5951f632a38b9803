import { inspect } from "node:util";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { SessionStoreError } from "@reins/sessions";
import { s3Credentials } from "@reins/test-servers/s3";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { S3RequestError } from "../src/index.ts";
import { entries, numbers, openPlace, ownPrefix, type Place, session } from "./open-store.ts";

// Hundreds of requests, and a machine that is busy with something else.
vi.setConfig({ testTimeout: 240_000 });

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterEach(() => {
  place.server.fault = undefined;
});
afterAll(async () => {
  await place[Symbol.asyncDispose]();
});

const untitled = { type: "user", n: "no uuid" };

async function errorOf(call: Promise<unknown>): Promise<S3RequestError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(S3RequestError);
  return error as S3RequestError;
}

describe("a lost answer", () => {
  test("to the client's own attempt stores once, since the next attempt has the same key", async () => {
    const prefix = ownPrefix();
    let drops = 0;
    place.server.fault = ({ method }) => (method === "PUT" && drops++ < 2 ? "drop-after" : undefined);
    await place.open({ prefix }).append(session, [untitled, ...entries(0, 1)]);
    expect(drops).toBeGreaterThan(2);
    expect(numbers(await place.open({ prefix }).load(session))).toEqual(["no uuid", 0]);
    expect(await place.keys(`${prefix}parts/`)).toHaveLength(1);
  });

  test("to all attempts is an error, and the caller's retry stores once, also what has no uuid", async () => {
    const prefix = ownPrefix();
    const store = place.open({ prefix });
    await store.append(session, [untitled]);
    for (const folder of ["parts", "list"]) {
      place.server.fault = ({ method, key }) => {
        return method === "PUT" && key.startsWith(`${prefix}${folder}/`) ? "drop-after" : undefined;
      };
      const batch = [untitled, { type: "user", n: folder }];
      expect(await errorOf(store.append(session, batch))).toMatchObject({ retryable: true, request: "PutObject" });
      place.server.fault = undefined;
      await store.append(session, batch);
    }
    // What is appended again on purpose, behind a success, is stored again.
    await store.append(session, [untitled]);
    const expected = ["no uuid", "no uuid", "parts", "no uuid", "list", "no uuid"];
    expect(numbers(await place.open({ prefix }).load(session))).toEqual(expected);
  });

  test("is told apart from other batches that were stored meanwhile, so that each retry stores once and in its place", async () => {
    for (const fault of ["drop-after", "drop-before"] as const) {
      const prefix = ownPrefix();
      const store = place.open({ prefix });
      await store.append(session, entries(0, 1));
      const batches = [1, 2].map((n) => [{ type: "user", n: `no uuid ${n}` }, ...entries(n, n + 1)]);
      place.server.fault = ({ method, key }) =>
        method === "PUT" && key.startsWith(`${prefix}parts/`) ? fault : undefined;
      for (const batch of batches) await errorOf(store.append(session, batch));
      place.server.fault = undefined;
      await store.append(session, [{ type: "user", n: "another" }, ...entries(3, 4)]);
      for (const batch of batches) await store.append(session, batch);
      const expected = [0, "no uuid 1", 1, "no uuid 2", 2, "another", 3];
      expect(numbers(await place.open({ prefix }).load(session))).toEqual(expected);
      await store.append(session, entries(4, 5));
      const [summary] = await place.open({ prefix }).listSessionSummaries(session.projectKey);
      expect(summary?.data).toMatchObject({ customTitle: "Title 4" });
    }
  });

  test("to a summary mark leaves a list that the next append mends, even of a store that knows nothing of it", async () => {
    const prefix = ownPrefix();
    place.server.fault = ({ method, key }) => (method === "PUT" && key.includes("/list/") ? "drop-before" : undefined);
    await errorOf(place.open({ prefix }).append(session, entries(0, 2)));
    place.server.fault = undefined;
    const store = place.open({ prefix });
    expect(await store.listSessions(session.projectKey)).toEqual([]);
    await store.append(session, entries(0, 2));
    expect(numbers(await store.load(session))).toEqual([0, 1]);
    const [summary] = await store.listSessionSummaries(session.projectKey);
    expect(summary?.data).toMatchObject({ customTitle: "Title 1" });
  });
});

test("a server that is killed and started again gives clear errors meanwhile, and loses nothing that was acknowledged", async () => {
  const prefix = ownPrefix();
  const store = place.open({ prefix });
  const acknowledged: unknown[] = [];
  for (let n = 0; n < 3; n++) {
    await store.append(session, entries(n, n + 1));
    acknowledged.push(n);
  }
  const running = [3, 4, 5].map(async (n) => {
    await store.append(session, entries(n, n + 1));
    acknowledged.push(n);
  });
  await place.server.kill();
  await Promise.allSettled(running);
  const error = await errorOf(store.append(session, entries(6, 7)));
  expect(error).toMatchObject({ operation: "append", key: session, retryable: true, reason: "ECONNREFUSED" });
  expect(error.message).toMatch(/Try again: nothing is stored twice/);
  expect(await errorOf(store.load(session))).toMatchObject({ operation: "load", key: session, retryable: true });
  const listing = { operation: "listSessions", key: { projectKey: session.projectKey }, retryable: true };
  expect(await errorOf(store.listSessions(session.projectKey))).toMatchObject(listing);
  await place.server.restart();
  await store.append(session, entries(6, 7));
  const loaded = numbers(await store.load(session)) ?? [];
  expect(loaded.filter((n) => acknowledged.includes(n))).toEqual(acknowledged);
  expect(loaded.at(-1)).toBe(6);
  expect(new Set(loaded).size).toBe(loaded.length);
});

test("throttling and failures of the server may pass, refusals do not", async () => {
  const store = place.open({ prefix: ownPrefix() });
  place.server.fault = () => "slow-down";
  expect(await errorOf(store.append(session, entries(0, 1)))).toMatchObject({
    retryable: true,
    reason: "SlowDown",
    status: 503,
  });
  place.server.fault = undefined;
  const elsewhere = place.open({ bucket: "none" });
  const error = await errorOf(elsewhere.append(session, entries(0, 1)));
  expect(error).toMatchObject({ retryable: false, reason: "NoSuchBucket", status: 404, bucket: "none", key: session });
  expect(await errorOf(elsewhere.load(session))).toMatchObject({ retryable: false, reason: "NoSuchBucket" });
});

test("an answer that does not come ends with a timeout, which may pass", async () => {
  const prefix = ownPrefix();
  const store = place.open({ prefix, timeoutMs: 1_000 });
  let answer = (): void => {};
  const waitFor = new Promise<void>((resolve) => {
    answer = resolve;
  });
  place.server.fault = ({ method }) => (method === "PUT" ? { waitFor } : undefined);
  const batch = [untitled];
  expect(await errorOf(store.append(session, batch))).toMatchObject({ retryable: true, reason: "Timeout" });
  place.server.fault = undefined;
  answer();
  // The retry may come before, with or behind what was under way: the key is the same.
  await vi.waitFor(() => store.append(session, batch), { timeout: 60_000 });
  expect(numbers(await place.open({ prefix }).load(session))).toEqual(["no uuid"]);
});

describe("a signal", () => {
  test("ends a request that is under way, and one that waits behind it", async () => {
    const store = place.open({ prefix: ownPrefix() });
    let answer = (): void => {};
    const waitFor = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let reached = (): void => {};
    const isSent = new Promise<void>((resolve) => {
      reached = resolve;
    });
    place.server.fault = ({ method }) => {
      if (method !== "PUT") return undefined;
      reached();
      return { waitFor };
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const running = store.append(session, entries(0, 1), { signal: first.signal });
    const waiting = store.append(session, entries(1, 2), { signal: second.signal });
    await isSent;
    second.abort(new Error("no more"));
    await expect(waiting).rejects.toThrow("no more");
    first.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    place.server.fault = undefined;
    answer();
    await store.append(session, entries(0, 2));
    expect(numbers(await store.load(session))).toEqual([0, 1]);
  });

  test("that came before refuses every call", async () => {
    const store = place.open();
    const signal = AbortSignal.abort(new Error("too late"));
    const lease = { ...session, owner: "o", token: 1, expiresAt: 1 };
    const calls = [
      store.append(session, entries(0, 1), { signal }),
      store.load(session, { signal }),
      store.listSessions("p", { signal }),
      store.listSessionSummaries("p", { signal }),
      store.listSubkeys(session, { signal }),
      store.delete(session, { signal }),
      store.compactSession(session, { signal }),
      store.enforcesConditionalWrites({ signal }),
      store.acquireSessionLease(session, { signal }),
      store.renewSessionLease(lease, { signal }),
      store.releaseSessionLease(lease, { signal }),
    ];
    for (const call of calls) await expect(call).rejects.toThrow("too late");
  });
});

test("errors carry no credentials, whatever the server sends back", async () => {
  const { accessKeyId, secretAccessKey } = s3Credentials;
  const body =
    `<Error><Code>SignatureDoesNotMatch</Code><Message>No match for ${accessKeyId}, Signature=abcdef123</Message>` +
    `<AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId><StringToSign>AWS4 ${secretAccessKey}</StringToSign>` +
    "<SignatureProvided>abcdef123</SignatureProvided></Error>";
  place.server.fault = () => ({ status: 403, body });
  const error = await errorOf(place.open().append(session, entries(0, 1)));
  expect(error).toMatchObject({ retryable: false, status: 403, reason: "SignatureDoesNotMatch" });
  const shown = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${error.message}`;
  for (const secret of [accessKeyId, secretAccessKey, "abcdef123"]) expect(shown).not.toContain(secret);
});

test("a closed store refuses calls, and closing twice is fine", async () => {
  const store = place.open();
  await store.close();
  await store.close();
  await expect(store.load(session)).rejects.toThrow(SessionStoreError);
});

test("what is no part of this package's is named, not skipped", async () => {
  const prefix = ownPrefix();
  const store = place.open({ prefix });
  await store.append(session, entries(0, 1));
  const [part = ""] = await place.keys(`${prefix}parts/`);
  const put = (Key: string, Body: string) =>
    place.client.send(new PutObjectCommand({ Bucket: place.server.bucket, Key, Body }));
  await put(`${part}.bak`, "x");
  await expect(store.load(session)).rejects.toThrow(/\.bak is none of this package's/);
  await place.client.send(new DeleteObjectCommand({ Bucket: place.server.bucket, Key: `${part}.bak` }));
  await put(part, '{"v":2}\n');
  await expect(store.load(session)).rejects.toThrow(/layout 2, which a later version/);
  await put(part, `{"v":1,"key":{},"sections":[["${part.split("/").at(-1)}",2]]}\n{"type":"user"}\n`);
  await expect(store.load(session)).rejects.toThrow(/has 1 lines, not the 2/);
  await put(part, "not ours");
  await expect(store.load(session)).rejects.toThrow(/has no header/);
});
