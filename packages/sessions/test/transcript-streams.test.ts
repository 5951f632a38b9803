import { appendFileSync, mkdirSync, renameSync, truncateSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { followTranscript, readTranscript, searchSessions, type TranscriptLine, transcriptPath } from "../src/index.ts";
import { assistant, createConfig, type Entry, idOf, user } from "./transcripts/config.ts";

// The first watcher of a process opens a descriptor that Node keeps for all that follow.
watch(tmpdir()).close();

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("readTranscript", () => {
  test("gives each line with its place, also from the middle on", async () => {
    using config = createConfig();
    const lines = [
      user("u1", null, "é😀"),
      "torn",
      assistant("a1", "u1", "x".repeat(300_000)),
      user("u2", "a1", "end"),
    ];
    const path = config.write("/p", idOf(1), lines);

    const read = await collect(readTranscript(path));
    expect(read.map(({ type }) => type)).toEqual(["user", undefined, "assistant", "user"]);
    expect(read[1]?.error).toMatchObject({ code: "REINS_FRAME_MALFORMED", line: "torn" });
    expect(read[3]?.entry["uuid"]).toBe("u2");
    for (const [index, line] of read.entries()) {
      const rest = await collect(readTranscript(path, { start: line.byteOffset }));
      expect(rest.map(({ text }) => text)).toEqual(read.slice(index).map(({ text }) => text));
      expect(rest[0]?.byteOffset).toBe(line.byteOffset);
      expect(line.endOffset).toBe(read[index + 1]?.byteOffset ?? line.endOffset);
    }
  });

  test("finds a transcript by its key, and refuses keys that lead elsewhere", async () => {
    using config = createConfig();
    config.write("/p", idOf(1), [user("u1", null, "hi")]);

    expect(await collect(readTranscript({ projectKey: "-p", sessionId: idOf(1) }))).toHaveLength(1);
    const other = readTranscript({ projectKey: "-q", sessionId: idOf(1) }, { configDir: config.configDir });
    await expect(other.next()).rejects.toMatchObject({ code: "REINS_TRANSCRIPT_ACCESS", cause: { code: "ENOENT" } });
    for (const key of [
      { projectKey: "..", sessionId: "x" },
      { projectKey: "a/b", sessionId: "x" },
      { projectKey: "-p", sessionId: "" },
      { projectKey: "-p", sessionId: "x", subpath: "subagents/../../y" },
      { projectKey: "-p", sessionId: "x", subpath: "a\\b" },
    ]) {
      expect(() => transcriptPath(key)).toThrow(TypeError);
    }
    expect(
      transcriptPath({ projectKey: "-p", sessionId: "x", subpath: "subagents/agent-a" }, { configDir: "/c" }),
    ).toBe(join("/c", "projects", "-p", "x", "subagents", "agent-a.jsonl"));
  });

  test("holds one line in memory, whatever the size", async () => {
    using config = createConfig();
    const line = JSON.stringify(user("u1", null, "x".repeat(100_000)));
    const path = config.write(
      "/p",
      idOf(1),
      Array.from({ length: 1_000 }, () => line),
    );

    let most = 0;
    const before = process.memoryUsage();
    for await (const { byteOffset } of readTranscript(path)) {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      most = Math.max(most, heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers);
      expect(byteOffset % (line.length + 1)).toBe(0);
    }
    // 100 MB were read. What garbage waits to be collected is all that adds up.
    expect(most).toBeLessThan(70_000_000);
  });

  test("closes the file when it is left early, and when it is aborted", async () => {
    using config = createConfig();
    const path = config.write("/p", idOf(1), [user("u1", null, "1"), user("u2", "u1", "2")]);
    await using leaks = startLeakCheck();
    for await (const _ of readTranscript(path)) break;
    const controller = new AbortController();
    const reason = new Error("enough");
    const aborted = (async () => {
      for await (const _ of readTranscript(path, { signal: controller.signal })) controller.abort(reason);
    })();
    await expect(aborted).rejects.toBe(reason);
    await leaks.assertClean();
  });
});

describe("followTranscript", () => {
  /** The uuids of the next lines, each awaited for at most ten seconds. */
  async function next(lines: AsyncGenerator<TranscriptLine>, count: number): Promise<unknown[]> {
    const uuids: unknown[] = [];
    while (uuids.length < count) {
      const { value } = await within(lines.next(), 10_000);
      uuids.push(value?.error === undefined ? value?.entry["uuid"] : value.text);
    }
    return uuids;
  }

  function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
    const { promise: late, cancel } = timeout(ms);
    return Promise.race([promise, late]).finally(cancel);
  }

  function timeout(ms: number): { promise: Promise<never>; cancel: () => void } {
    let cancel = () => {};
    const promise = new Promise<never>((_, fail) => {
      const timer = setTimeout(() => fail(new Error(`No line came within ${ms} ms`)), ms);
      cancel = () => clearTimeout(timer);
    });
    return { promise, cancel };
  }

  const line = (uuid: string): string => `${JSON.stringify(user(uuid, null, uuid))}\n`;

  test("goes on with what is appended, when its newline came", async () => {
    using config = createConfig();
    const path = config.write("/p", idOf(1), [user("u1", null, "1")]);
    await using leaks = startLeakCheck();
    const lines = followTranscript(path);

    expect(await next(lines, 1)).toEqual(["u1"]);
    const waiting = next(lines, 2);
    appendFileSync(path, line("u2").slice(0, 20));
    appendFileSync(path, line("u2").slice(20) + line("u3"));
    expect(await waiting).toEqual(["u2", "u3"]);
    await lines.return(undefined);
    await leaks.assertClean();
  });

  test("waits for a file that is not there yet, even its folder", async () => {
    using config = createConfig();
    const path = config.path("/p", `${idOf(1)}.jsonl`);
    const lines = followTranscript({ projectKey: "-p", sessionId: idOf(1) }, { pollIntervalMs: 20 });
    const waiting = next(lines, 1);
    mkdirSync(config.path("/p"), { recursive: true });
    writeFileSync(path, line("u1"));

    expect(await waiting).toEqual(["u1"]);
    await lines.return(undefined);
  });

  test("survives that the file is cut", async () => {
    using config = createConfig();
    const path = config.write("/p", idOf(1), [user("u1", null, "1"), user("u2", null, "2")]);
    const lines = followTranscript(path, { pollIntervalMs: 20 });
    expect(await next(lines, 2)).toEqual(["u1", "u2"]);
    const waiting = next(lines, 1);
    truncateSync(path, 0);
    appendFileSync(path, line("u3"));

    expect(await waiting).toEqual(["u3"]);
    await lines.return(undefined);
  });

  test("survives that the file is renamed: it is read on, until another takes its name", async () => {
    using config = createConfig();
    const path = config.write("/p", idOf(1), [user("u1", null, "1")]);
    const lines = followTranscript(path, { pollIntervalMs: 20 });
    expect(await next(lines, 1)).toEqual(["u1"]);
    renameSync(path, `${path}.old`);
    const moved = next(lines, 1);
    appendFileSync(`${path}.old`, line("u2"));
    expect(await moved).toEqual(["u2"]);
    const replaced = next(lines, 2);
    appendFileSync(`${path}.old`, "torn");
    writeFileSync(path, line("u3"));

    expect(await replaced).toEqual(["torn", "u3"]);
    await lines.return(undefined);
  });

  test("begins where it is told, and ends with the reason of its signal", async () => {
    using config = createConfig();
    const path = config.write("/p", idOf(1), [user("u1", null, "1"), user("u2", null, "2")]);
    await using leaks = startLeakCheck();
    const controller = new AbortController();
    const { signal } = controller;
    const start = (await collect(readTranscript(path)))[1]?.byteOffset;
    const lines = followTranscript(path, { start, signal });

    expect(await next(lines, 1)).toEqual(["u2"]);
    const reason = new Error("enough");
    const waiting = lines.next();
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(followTranscript(path, { signal }).next()).rejects.toBe(reason);
    await leaks.assertClean();
  });
});

describe("searchSessions", () => {
  const texts: readonly Entry[] = [
    user("u1", null, 'Where is the "Needle"?'),
    assistant("a1", "u1", [{ type: "tool_use", id: "needle-id", name: "Grep", input: { pattern: "needle (2)" } }]),
    user("u2", "a1", [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "nothing" }] }]),
    { type: "api-request", body: "needle" },
    { type: "custom-title", customTitle: "Needles", sessionId: idOf(1) },
  ];

  test("finds what was said, the newest session first, with the place of the line", async () => {
    using config = createConfig();
    const path = config.write("/p", idOf(1), texts, { mtime: 1_770_000_000 });
    config.write("/q", idOf(2), [user("x", null, "a needle\nin hay")], { mtime: 1_780_000_000 });

    const matches = await collect(searchSessions("needle"));

    expect(matches.map(({ sessionId, type, excerpt }) => [sessionId, type, excerpt])).toEqual([
      [idOf(2), "user", "a needle\nin hay"],
      [idOf(1), "user", 'Where is the "Needle"?'],
      [idOf(1), "assistant", "needle (2)"],
      [idOf(1), "custom-title", "Needles"],
    ]);
    for (const { byteOffset, path: found, uuid } of matches.slice(1)) {
      expect(found).toBe(path);
      const [line] = await collect(readTranscript(found, { start: byteOffset }));
      expect(line?.entry["uuid"]).toBe(uuid);
    }
  });

  test("takes case, expressions, folders and limits into account", async () => {
    using config = createConfig();
    config.write("/p", idOf(1), texts);
    config.write("/q", idOf(2), [user("x", null, "needle in hay")]);
    const count = async (...search: Parameters<typeof searchSessions>) =>
      (await collect(searchSessions(...search))).length;

    expect(await count("Needle", { caseSensitive: true })).toBe(2);
    expect(await count(/^needle/g)).toBe(2);
    expect(await count("(2)")).toBe(1);
    expect(await count('"needle"')).toBe(1);
    expect(await count("needle\n")).toBe(0);
    expect(await count("needle", { dir: "/q" })).toBe(1);
    expect(await count("needle", { limit: 2 })).toBe(2);
    expect(await count("needle", { configDir: join(config.root, "none") })).toBe(0);
  });

  test("stops when it is left or aborted", async () => {
    using config = createConfig();
    config.write("/p", idOf(1), texts);
    await using leaks = startLeakCheck();
    for await (const _ of searchSessions("needle")) break;
    const reason = new Error("enough");
    await expect(searchSessions("needle", { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
    await leaks.assertClean();
  });
});
