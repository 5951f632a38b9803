import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { SessionInUseError, type SessionLease, withSessionLease } from "@reins/sessions";
import { createS3Client } from "@reins/test-servers/s3";
import { expect, test, vi } from "vitest";
import { S3LeasesUnavailableError, S3SessionStore } from "../src/index.ts";
import { entries, numbers, openPlace, type Place, session, subagent } from "./open-store.ts";

// Hundreds of requests, and a machine that is busy with something else.
vi.setConfig({ testTimeout: 240_000 });

/** Names of the requests that a call makes. */
async function requestsOf({ server }: Place, act: () => Promise<unknown>): Promise<string[]> {
  const before = server.requests.length;
  await act();
  return server.requests.slice(before).map(({ method, key, query }) => {
    return query.has("list-type") ? `LIST ${query.get("prefix")?.split("/")[0]}` : `${method} ${key.split("/")[0]}`;
  });
}

test("the calls make the requests that the README counts", async () => {
  await using place = await openPlace({ enforceConditions: true });
  const store = place.open();
  expect(await requestsOf(place, () => store.append(session, entries(0, 2)))).toEqual([
    "LIST parts",
    "PUT parts",
    "PUT list",
  ]);
  // Behind the first one nothing is read, and what the mark replaces goes beside the next call.
  expect(await requestsOf(place, () => store.append(session, entries(2, 4)))).toEqual(
    expect.arrayContaining(["PUT parts", "PUT list"]),
  );
  await store.append(subagent, entries(0, 2));
  expect(await requestsOf(place, () => store.append(subagent, entries(2, 4)))).toContain("PUT parts");
  // Known uuids: nothing to do.
  expect(await requestsOf(place, () => store.append(session, entries(0, 4)))).toEqual([]);
  await store.close();

  const other = place.open();
  expect(await requestsOf(place, () => other.load(session))).toEqual(["LIST parts", "GET parts", "GET parts"]);
  const next = await requestsOf(place, () => other.append(session, entries(4, 5)));
  expect(next.slice(0, 3)).toEqual(["LIST list", "PUT parts", "PUT list"]);
  await other.close();

  expect(await requestsOf(place, () => place.open().listSessions(session.projectKey))).toEqual(["LIST list"]);
  expect(await requestsOf(place, () => place.open().listSessionSummaries(session.projectKey))).toEqual([
    "LIST list",
    "GET list",
  ]);
  expect(await requestsOf(place, () => place.open().listSubkeys(session))).toEqual(["LIST parts"]);

  const leasing = place.open({ leases: true });
  await leasing.enforcesConditionalWrites();
  const acquired = await requestsOf(place, () => leasing.acquireSessionLease(session));
  expect(acquired).toEqual(["GET leases", "PUT leases"]);
  await expect(requestsOf(place, () => leasing.append(session, entries(9, 10)))).rejects.toThrow(/in use/);
});

test("never more requests run at once than it is asked for", async () => {
  await using place = await openPlace();
  let running = 0;
  let most = 0;
  const client: Pick<typeof place.client, "send"> = {
    // The overloads of the client cannot be written for a function that hands everything on.
    send: (async (...args: Parameters<typeof place.client.send>) => {
      most = Math.max(most, ++running);
      try {
        return await place.client.send(...args);
      } finally {
        running--;
      }
    }) as typeof place.client.send,
  };
  const writer = place.open();
  for (let n = 0; n < 20; n++) await writer.append(subagent, entries(n, n + 1));
  const store = place.open({ client, maxRequests: 3 });
  expect(numbers(await store.load(subagent))).toHaveLength(20);
  expect(most).toBe(3);
});

test("encryption goes along with every object, the storage class with transcripts only", async () => {
  await using place = await openPlace();
  const sent: Record<string, unknown>[] = [];
  const client: Pick<typeof place.client, "send"> = {
    send: (async (...args: Parameters<typeof place.client.send>) => {
      const [command] = args;
      if (command instanceof PutObjectCommand) sent.push({ ...command.input });
      return await place.client.send(...args);
    }) as typeof place.client.send,
  };
  const kms = { serverSideEncryption: "aws:kms", kmsKeyId: "alias/agents", bucketKeyEnabled: true } as const;
  const store = place.open({ client, ...kms, storageClass: "STANDARD_IA" });
  await store.append(session, entries(0, 1));
  await store.append(session, entries(1, 2));
  await store.compactSession(session);
  const encryption = { ServerSideEncryption: "aws:kms", SSEKMSKeyId: "alias/agents", BucketKeyEnabled: true };
  for (const input of sent) {
    expect(input).toMatchObject(encryption);
    const isPart = String(input["Key"]).startsWith("parts/");
    expect(input["StorageClass"]).toBe(isPart ? "STANDARD_IA" : undefined);
  }
  expect(sent.filter(({ StorageClass }) => StorageClass !== undefined)).toHaveLength(3);
});

test("summaries that were read once are kept in one object, which is used only for what did not change", async () => {
  await using place = await openPlace({ pageSize: 10 });
  const store = place.open();
  const count = 25;
  const sessionOf = (n: number) => ({ projectKey: "-p", sessionId: `s${n}` });
  await Promise.all(Array.from({ length: count }, (_, n) => store.append(sessionOf(n), entries(n, n + 1))));
  const first = await store.listSessionSummaries("-p");
  expect(first).toHaveLength(count);
  await store.append(sessionOf(7), [{ type: "custom-title", customTitle: "New" }]);
  await store.delete(sessionOf(8));
  await store.close();
  const reader = place.open();
  const asked = await requestsOf(place, async () => {
    const second = await reader.listSessionSummaries("-p");
    expect(second).toHaveLength(count - 1);
    expect(second.find(({ sessionId }) => sessionId === "s7")?.data).toMatchObject({ customTitle: "New" });
    const others = first.filter(({ sessionId }) => sessionId !== "s7" && sessionId !== "s8");
    expect(second).toEqual(expect.arrayContaining(others));
  });
  expect(asked.sort()).toEqual(["GET cache", "GET list", "LIST list", "LIST list", "LIST list"]);
});

test("a cache that is broken, or cannot be written, is done without", async () => {
  await using place = await openPlace();
  const store = place.open();
  await Promise.all(
    Array.from({ length: 22 }, (_, n) => store.append({ projectKey: "-p", sessionId: `s${n}` }, entries(n, n + 1))),
  );
  await place.client.send(new PutObjectCommand({ Bucket: place.server.bucket, Key: "cache/-p", Body: "{" }));
  place.server.fault = ({ method, key }) => {
    return method === "PUT" && key.startsWith("cache/")
      ? { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }
      : undefined;
  };
  expect(await store.listSessionSummaries("-p")).toHaveLength(22);
});

test("leases are refused with the reason where the endpoint ignores conditions, and everything else works", async () => {
  await using place = await openPlace();
  const store = place.open({ leases: true });
  expect(await store.enforcesConditionalWrites()).toBe(false);
  const refused = store.acquireSessionLease(session);
  await expect(refused).rejects.toThrow(S3LeasesUnavailableError);
  await expect(refused).rejects.toMatchObject({ reason: "the endpoint ignores If-None-Match: *", retryable: false });
  const lease: SessionLease = { ...session, owner: "me", token: 1, expiresAt: Date.now() + 60_000 };
  await expect(withSessionLease(store, lease).append(session, entries(0, 1))).rejects.toThrow(S3LeasesUnavailableError);
  await store.append(session, entries(0, 1));
  expect(numbers(await store.load(session))).toEqual([0]);
  expect(await place.keys("probe/")).toEqual([]);
  const without = place.open({ leases: false });
  await expect(without.acquireSessionLease(session)).rejects.toThrow(/leases: false/);
});

test("a lease whose write lost its answer is known as one's own", async () => {
  await using place = await openPlace({ enforceConditions: true });
  const store = place.open({ leases: true });
  await store.enforcesConditionalWrites();
  let drops = 0;
  place.server.fault = ({ method, key }) =>
    method === "PUT" && key.startsWith("leases/") && drops++ === 0 ? "drop-after" : undefined;
  const lease = await store.acquireSessionLease(session, { owner: "me" });
  expect(drops).toBe(2);
  await store.append(session, entries(0, 1), { lease });
  await store.releaseSessionLease(lease);
});

test("a probe that failed is made again", async () => {
  await using place = await openPlace({ enforceConditions: true });
  const store = place.open({ leases: true });
  place.server.fault = () => ({ status: 403, body: "<Error><Code>AccessDenied</Code></Error>" });
  await expect(store.enforcesConditionalWrites()).rejects.toMatchObject({ status: 403 });
  place.server.fault = undefined;
  expect(await store.enforcesConditionalWrites()).toBe(true);
});

test("a probe whose answer got lost, and which the client repeats, turns no leases off", async () => {
  await using place = await openPlace({ enforceConditions: true });
  const holder = place.open({ leases: true });
  await holder.acquireSessionLease(session, { owner: "somebody else" });
  let drops = 0;
  place.server.fault = ({ method, key }) =>
    method === "PUT" && key.startsWith("probe/") && drops++ === 0 ? "drop-after" : undefined;
  const store = place.open({ leases: true });
  await expect(store.append(session, entries(0, 1))).rejects.toThrow(SessionInUseError);
  expect(drops).toBeGreaterThan(1);
  expect(await store.enforcesConditionalWrites()).toBe(true);
});

test("entries of 2 MB are stored and read", async () => {
  await using place = await openPlace();
  const store = place.open();
  const large = [0, 1].map((n) => ({ type: "user", uuid: `u${n}`, text: String(n).repeat(2_000_000) }));
  await store.append(session, large);
  expect(await place.open().load(session)).toEqual(large);
});

test("each part says which transcript it is of, so that a bucket can be read without this package", async () => {
  await using place = await openPlace();
  const store = place.open();
  const key = { projectKey: "p".repeat(400), sessionId: "ü/..", subpath: "s".repeat(300) };
  await store.append(key, entries(0, 1));
  const [Key = ""] = await place.keys();
  expect(Buffer.byteLength(Key)).toBeLessThan(1_024 - 300);
  const { Body } = await place.client.send(new GetObjectCommand({ Bucket: place.server.bucket, Key }));
  const [header = "", entry = ""] = ((await Body?.transformToString()) ?? "").split("\n");
  expect(JSON.parse(header)).toMatchObject({ v: 1, key });
  expect(JSON.parse(entry)).toEqual(entries(0, 1)[0]);
  expect(await store.compactSession({ projectKey: key.projectKey, sessionId: key.sessionId })).toMatchObject([{ key }]);
});

test("options that cannot be meant are refused at once", () => {
  const client = createS3Client("http://127.0.0.1:1");
  const make = (options: object) => () => new S3SessionStore({ client, bucket: "b", ...options });
  expect(make({ bucket: "" })).toThrow(RangeError);
  expect(make({ prefix: "x".repeat(301) })).toThrow(RangeError);
  expect(make({ maxRequests: 0 })).toThrow(RangeError);
  expect(make({ timeoutMs: Number.NaN })).toThrow(RangeError);
  client.destroy();
});
