import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  MemorySessionStore,
  type SessionKey,
  SessionStoreError,
  sessionKeyOfPath,
  TranscriptMirror,
} from "../index.ts";
import type { SessionStore, SessionStoreEntry } from "../store/session-store.ts";

const sessionId = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";
const main = `/home/user/.claude/projects/-work/${sessionId}.jsonl`;
const agent = `/home/user/.claude/projects/-work/${sessionId}/subagents/agent-a1.jsonl`;

function entry(name: string): SessionStoreEntry {
  return { type: "user", uuid: name };
}

/** A store that writes down its appends, and does what the test says. */
function recordingStore(append: SessionStore["append"] = async () => {}): SessionStore & {
  readonly calls: { key: SessionKey; uuids: unknown[] }[];
} {
  const calls: { key: SessionKey; uuids: unknown[] }[] = [];
  return {
    calls,
    append: (key, entries) => {
      calls.push({ key, uuids: entries.map(({ uuid }) => uuid) });
      return append(key, entries);
    },
    load: async () => null,
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the key of a path", () => {
  test.each<[string, SessionKey | undefined]>([
    [main, { projectKey: "-work", sessionId }],
    [agent, { projectKey: "-work", sessionId, subpath: "subagents/agent-a1" }],
    [`C:\\Users\\u\\.claude\\projects\\C--w\\${sessionId}.jsonl`, { projectKey: "C--w", sessionId }],
    [`/a/projects/x/projects/-p/${sessionId}.jsonl`, { projectKey: "-p", sessionId }],
    [
      `/a/projects/-p/${sessionId}/subagents/workflows/w1/agent-a.jsonl`,
      { projectKey: "-p", sessionId, subpath: "subagents/workflows/w1/agent-a" },
    ],
    // A folder called "projects" below a session is not the one that counts.
    [
      `/a/projects/-p/${sessionId}/projects/agent-a.jsonl`,
      { projectKey: "-p", sessionId, subpath: "projects/agent-a" },
    ],
    [`/a/projects/-p/${sessionId}`, undefined],
    [`/a/projects/-p/${sessionId}/agent-a.jsonl`, undefined],
    [`/a/projects/-p/no-uuid.jsonl`, undefined],
    [`/a/projects/-p/${sessionId}/../x/agent-a.jsonl`, undefined],
    ["/etc/passwd", undefined],
    ["", undefined],
  ])("%s", (path, key) => {
    expect(sessionKeyOfPath(path)).toEqual(key);
  });
});

test("a flush gives the store one append for each transcript, in the order of the lines", async () => {
  const store = recordingStore();
  const mirror = new TranscriptMirror(store);
  mirror.write({ filePath: main, entries: [entry("1")] });
  mirror.write({ filePath: agent, entries: [entry("a")] });
  mirror.write({ filePath: main, entries: [entry("2"), entry("3")] });
  mirror.write({ filePath: agent, entries: [] });
  expect(store.calls).toEqual([]);
  expect(await mirror.flush()).toEqual([]);
  expect(store.calls).toEqual([
    { key: { projectKey: "-work", sessionId }, uuids: ["1", "2", "3"] },
    { key: { projectKey: "-work", sessionId, subpath: "subagents/agent-a1" }, uuids: ["a"] },
  ]);
  await mirror.flush();
  expect(store.calls).toHaveLength(2);
});

test("much is stored without a flush, and eagerly everything is, one batch after the other", async () => {
  const batched = recordingStore();
  const mirror = new TranscriptMirror(batched);
  mirror.write({ filePath: main, entries: Array.from({ length: 500 }, (_, index) => entry(String(index))) });
  await vi.advanceTimersByTimeAsync(0);
  expect(batched.calls).toHaveLength(0);
  mirror.write({ filePath: main, entries: [entry("500")] });
  await vi.advanceTimersByTimeAsync(0);
  expect(batched.calls.map(({ uuids }) => uuids.length)).toEqual([501]);

  let release = (): void => {};
  const eager = recordingStore(
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  const eagerMirror = new TranscriptMirror(eager, { flush: "eager" });
  for (const name of ["1", "2"]) eagerMirror.write({ filePath: main, entries: [entry(name)] });
  await vi.advanceTimersByTimeAsync(0);
  expect(eager.calls.map(({ uuids }) => uuids)).toEqual([["1"]]);
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(eager.calls.map(({ uuids }) => uuids)).toEqual([["1"], ["2"]]);
  release();
  expect(await eagerMirror.flush()).toEqual([]);
});

describe("an append that fails", () => {
  test("is tried three times, and lost then", async () => {
    let failures = 2;
    const store = recordingStore(async () => {
      if (failures-- > 0) throw new Error("busy");
    });
    const mirror = new TranscriptMirror(store);
    mirror.write({ filePath: main, entries: [entry("1")] });
    const first = mirror.flush();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await first).toEqual([]);
    expect(store.calls).toHaveLength(3);

    failures = 3;
    mirror.write({ filePath: main, entries: [entry("2"), entry("3")] });
    const second = mirror.flush();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await second).toEqual([
      { error: "append() failed: busy", key: { projectKey: "-work", sessionId }, filePath: main, entries: 2 },
    ]);
    expect(await mirror.flush()).toEqual([]);
    mirror.write({ filePath: main, entries: [entry("4")] });
    expect(await mirror.flush()).toEqual([]);
  });

  test("for good is not tried again", async () => {
    const store = recordingStore(async (key) => {
      throw new SessionStoreError("refused", { operation: "append", key });
    });
    const mirror = new TranscriptMirror(store);
    mirror.write({ filePath: main, entries: [entry("1")] });
    expect(await mirror.flush()).toMatchObject([{ error: "append() failed: refused" }]);
    expect(store.calls).toHaveLength(1);
  });

  test("does not keep another transcript from being stored", async () => {
    const store = recordingStore(async (key) => {
      if (key.subpath === undefined) throw new SessionStoreError("refused", { operation: "append", key });
    });
    const mirror = new TranscriptMirror(store);
    mirror.write({ filePath: main, entries: [entry("1")] });
    mirror.write({ filePath: agent, entries: [entry("a")] });
    expect(await mirror.flush()).toHaveLength(1);
    expect(store.calls).toHaveLength(2);
  });
});

describe("a store that hangs", () => {
  test("is waited for no longer than the caller wants, and given up at the deadline", async () => {
    const store = recordingStore(() => new Promise(() => {}));
    const mirror = new TranscriptMirror(store, { appendTimeoutMs: 10_000 });
    mirror.write({ filePath: main, entries: [entry("1")] });
    const flushing = mirror.flush(5_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await flushing).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    // Not tried again: it may still arrive.
    expect(await mirror.flush()).toMatchObject([{ error: "append() timed out after 10000 ms", entries: 1 }]);
    expect(store.calls).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("holds no more than it may", async () => {
    const store = recordingStore(() => new Promise(() => {}));
    const mirror = new TranscriptMirror(store, { flush: "eager", maxPendingLength: 100, appendTimeoutMs: 1_000 });
    mirror.write({ filePath: main, entries: [entry("1")] }, 60);
    mirror.write({ filePath: main, entries: [entry("2")] }, 60);
    const now = async (): Promise<unknown> => {
      const flushing = mirror.flush(0);
      await vi.advanceTimersByTimeAsync(0);
      return flushing;
    };
    expect(await now()).toMatchObject([{ error: expect.stringContaining("too slow"), entries: 1 }]);
    await vi.advanceTimersByTimeAsync(1_000);
    // What was given up makes room.
    mirror.write({ filePath: main, entries: [entry("3")] }, 60);
    expect(await now()).toMatchObject([{ error: expect.stringContaining("timed out") }]);
    expect(store.calls.map(({ uuids }) => uuids)).toEqual([["1"], ["3"]]);
    await vi.advanceTimersByTimeAsync(1_000);
  });
});

test("a path that is that of no transcript is a loss", async () => {
  const store = new MemorySessionStore();
  const mirror = new TranscriptMirror(store);
  mirror.write({ filePath: `/elsewhere/${other}.jsonl`, entries: [entry("1")] });
  expect(await mirror.flush()).toEqual([
    {
      error: expect.stringContaining("not the path of a transcript"),
      key: undefined,
      filePath: `/elsewhere/${other}.jsonl`,
      entries: 1,
    },
  ]);
});

test("at the close what hangs is given up, and no timer is left", async () => {
  const store = recordingStore(() => new Promise(() => {}));
  const mirror = new TranscriptMirror(store);
  mirror.write({ filePath: main, entries: [entry("1")] });
  mirror.write({ filePath: agent, entries: [entry("a")] });
  const closing = mirror.close(2_000);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await closing).toMatchObject([
    { error: "append() did not settle before the session ended", filePath: main },
    { error: "the session ended before the store took them", filePath: agent },
  ]);
  expect(store.calls).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);

  const working = recordingStore();
  const other = new TranscriptMirror(working);
  other.write({ filePath: main, entries: [entry("1")] });
  expect(await other.close(2_000)).toEqual([]);
  expect(working.calls).toHaveLength(1);
});

test.each([{}, { filePath: main }, { filePath: 1, entries: [entry("1")] }, { filePath: main, entries: "text" }])(
  "a frame that is none (%j) is a loss, and throws nothing",
  async (frame) => {
    const store = recordingStore();
    const mirror = new TranscriptMirror(store);
    // What a CLI of another version could write.
    mirror.write(frame as unknown as Parameters<TranscriptMirror["write"]>[0]);
    expect(await mirror.flush()).toMatchObject([
      { error: expect.stringContaining("no path or no entries"), entries: 0 },
    ]);
    expect(store.calls).toEqual([]);
  },
);
