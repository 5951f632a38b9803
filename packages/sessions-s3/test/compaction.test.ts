import { foldSessionSummary } from "@reins/sessions";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { S3SessionStore } from "../src/index.ts";
import { dyingClient, entries, numbers, openPlace, ownPrefix, type Place, session, subagent } from "./open-store.ts";

// Hundreds of requests, and a machine that is busy with something else.
vi.setConfig({ testTimeout: 240_000 });

let place: Place;
beforeAll(async () => {
  place = await openPlace({ pageSize: 100 });
});
afterAll(async () => {
  await place[Symbol.asyncDispose]();
});

const without = { type: "user", n: "without uuid" };

/** Three parts of the main transcript, some with entries that have no uuid, and two of a subagent. */
async function fill(store: S3SessionStore): Promise<void> {
  for (let n = 0; n < 3; n++) await store.append(session, [...entries(n * 2, n * 2 + 2), without]);
  await store.append(subagent, entries(0, 2));
  await store.append(subagent, entries(2, 4));
}

/** How many requests a call makes. */
async function countRequests(act: () => Promise<unknown>): Promise<number> {
  const before = place.server.requests.length;
  await act();
  return place.server.requests.length - before;
}

async function expectWhole(prefix: string, expected: unknown): Promise<void> {
  const store = place.open({ prefix });
  const loaded = await store.load(session);
  expect(loaded).toEqual(expected);
  expect(numbers(await store.load(subagent))).toEqual([0, 1, 2, 3]);
  expect(await store.listSubkeys(session)).toEqual(["subagents/agent-a"]);
  const [summary, ...others] = await store.listSessionSummaries(session.projectKey);
  expect(others).toEqual([]);
  expect(summary?.data).toEqual(foldSessionSummary(undefined, session, loaded ?? []).data);
}

test("a compaction leaves one part and the same entries, and a second one does nothing", async () => {
  const prefix = ownPrefix();
  const store = place.open({ prefix });
  await fill(store);
  const before = await store.load(session);
  expect(await store.compactSession(session)).toEqual([
    { key: session, partsBefore: 3, partsAfter: 1 },
    { key: subagent, partsBefore: 2, partsAfter: 1 },
  ]);
  await expectWhole(prefix, before);
  expect(await place.keys(`${prefix}parts/`)).toHaveLength(2);
  expect(await store.compactSession(session)).toEqual([
    { key: session, partsBefore: 1, partsAfter: 1 },
    { key: subagent, partsBefore: 1, partsAfter: 1 },
  ]);
  await expectWhole(prefix, before);
});

test("a compaction makes parts of about the size it is asked for", async () => {
  const prefix = ownPrefix();
  const store = place.open({ prefix });
  await fill(store);
  const before = await store.load(session);
  const [{ partsAfter } = {}] = await store.compactSession(session, { maxPartBytes: 700 });
  expect(partsAfter).toBeGreaterThan(1);
  expect(partsAfter).toBeLessThan(3);
  await expectWhole(prefix, before);
  await store.compactSession(session);
  await expectWhole(prefix, before);
  expect(await place.keys(`${prefix}parts/`)).toHaveLength(2);
});

test("compactions that die at any request, before or behind it, lose nothing, double nothing, and are made up for by the next", async () => {
  const whole = ownPrefix();
  const filled = place.open({ prefix: whole });
  await fill(filled);
  const requests = await countRequests(() => filled.compactSession(session));
  expect(requests).toBeGreaterThan(6);
  for (let at = 0; at < requests; at++) {
    for (const isDone of [false, true]) {
      const prefix = ownPrefix();
      const store = place.open({ prefix });
      await fill(store);
      const before = await store.load(session);
      const dying = dyingClient(place.client, at, isDone);
      await expect(place.open({ prefix, client: dying.client }).compactSession(session)).rejects.toThrow(/dead/);
      expect(dying.died()).toBe(true);
      await expectWhole(prefix, before);
      // The writer of before goes on as if nothing had been.
      await store.append(session, [...entries(4, 6), { type: "user", uuid: "last", n: "last", customTitle: "Last" }]);
      const after = [...(before ?? []), { type: "user", uuid: "last", n: "last", customTitle: "Last" }];
      await expectWhole(prefix, after);
      await place.open({ prefix }).compactSession(session);
      await expectWhole(prefix, after);
      expect(await place.keys(`${prefix}parts/`)).toHaveLength(2);
    }
  }
});

test("compactions at the same time, beside a writer and readers, lose and double nothing", async () => {
  const prefix = ownPrefix();
  const writer = place.open({ prefix });
  let isWriting = true;
  let acknowledged = 0;
  const write = async () => {
    for (; acknowledged < 60; acknowledged += 2) await writer.append(session, entries(acknowledged, acknowledged + 2));
    isWriting = false;
  };
  const compact = async () => {
    const store = place.open({ prefix });
    while (isWriting) await store.compactSession(session);
  };
  const read = async () => {
    const store = place.open({ prefix });
    while (isWriting) {
      const atLeast = acknowledged;
      const loaded = numbers(await store.load(session)) ?? [];
      expect(loaded.length).toBeGreaterThanOrEqual(atLeast);
      expect(loaded).toEqual(loaded.map((_, n) => n));
    }
  };
  await Promise.all([write(), compact(), compact(), read()]);
  const store = place.open({ prefix });
  expect(numbers(await store.load(session))).toEqual(entries(0, 60).map(({ n }) => n));
  // What one of two at the same time left twice the next one removes.
  await store.compactSession(session);
  await store.compactSession(session);
  expect(await place.keys(`${prefix}parts/`)).toHaveLength(1);
  expect(numbers(await store.load(session))).toHaveLength(60);
});

test("a part that comes late with an earlier place stands at its place behind a compaction, too", async () => {
  const prefix = ownPrefix();
  const first = place.open({ prefix });
  const second = place.open({ prefix });
  await first.append(session, entries(0, 1));
  await second.append(session, entries(1, 2));
  // Both know the end of now; the first writes behind what the second wrote meanwhile, and does not know it.
  await first.append(session, entries(2, 3));
  await second.append(session, entries(3, 4));
  const before = await place.open({ prefix }).load(session);
  await place.open({ prefix }).compactSession(session);
  expect(await place.open({ prefix }).load(session)).toEqual(before);
  await first.append(session, entries(4, 5));
  expect(numbers(await place.open({ prefix }).load(session))?.at(-1)).toBe(4);
});

describe("a deletion", () => {
  test("that dies at any request leaves each transcript whole or gone, and is made up for by the next", async () => {
    const whole = ownPrefix();
    const filled = place.open({ prefix: whole });
    await fill(filled);
    const requests = await countRequests(() => filled.delete(session));
    for (let at = 0; at < requests; at++) {
      for (const isDone of [false, true]) {
        const prefix = ownPrefix();
        const store = place.open({ prefix });
        await fill(store);
        const dying = dyingClient(place.client, at, isDone);
        await expect(place.open({ prefix, client: dying.client }).delete(session)).rejects.toThrow(/dead/);
        const reader = place.open({ prefix });
        expect([undefined, 9]).toContain((await reader.load(session))?.length);
        expect([undefined, 4]).toContain((await reader.load(subagent))?.length);
        await reader.delete(session);
        expect(await reader.load(session)).toBeNull();
        expect(await place.keys(prefix)).toEqual([]);
      }
    }
  });

  test("leaves nothing in the bucket, also of a compacted session", async () => {
    const prefix = ownPrefix();
    const store = place.open({ prefix });
    await fill(store);
    await store.compactSession(session);
    await store.append(session, entries(20, 22));
    await store.delete(session);
    expect(await place.keys(prefix)).toEqual([]);
    await store.append(session, entries(0, 1));
    expect(numbers(await place.open({ prefix }).load(session))).toEqual([0]);
  });

  test("is not undone by a compaction that had read everything before", async () => {
    const prefix = ownPrefix();
    await fill(place.open({ prefix }));
    // Stops the compaction before it writes.
    let reached = (): void => {};
    const atPut = new Promise<void>((resolve) => {
      reached = resolve;
    });
    let go = (): void => {};
    const waitFor = new Promise<void>((resolve) => {
      go = resolve;
    });
    place.server.fault = ({ method, key }) => {
      if (method !== "PUT" || !key.startsWith(`${prefix}parts/`) || !key.includes("-c")) return undefined;
      reached();
      place.server.fault = undefined;
      return { waitFor };
    };
    const compacting = place.open({ prefix }).compactSession(session);
    await atPut;
    await place.open({ prefix }).delete(session);
    go();
    await compacting;
    expect(await place.keys(prefix)).toEqual([]);
  });
});

const parts = Number(process.env["REINS_S3_PARTS"] ?? 220);

test(`a transcript of ${parts} parts is read over several pages, and in one request when it is compacted`, async () => {
  const prefix = ownPrefix();
  const store = place.open({ prefix });
  // A subpath, which has no summary to be written each time.
  for (let n = 0; n < parts; n++) await store.append(subagent, entries(n, n + 1));
  const expected = entries(0, parts).map(({ n }) => n);
  expect(numbers(await place.open({ prefix }).load(subagent))).toEqual(expected);
  await store.compactSession(subagent);
  const reader = place.open({ prefix });
  expect(await countRequests(async () => expect(numbers(await reader.load(subagent))).toEqual(expected))).toBe(2);
});
