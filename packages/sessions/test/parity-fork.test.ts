import { readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  InMemorySessionStore,
  deleteSession as peerDelete,
  forkSession as peerFork,
  renameSession as peerRename,
} from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";
import { archiveSession, unarchiveSession } from "../src/transcript/archive.ts";
import { type ForkSessionOptions, forkSession } from "../src/transcript/fork-session.ts";
import { getSessionInfo } from "../src/transcript/get-session-info.ts";
import { deleteSession, renameSession, tagSession } from "../src/transcript/mutations.ts";
import { projectKeyForPath } from "../src/transcript/project-key.ts";
import { assistant, createConfig, type Entry, entry, idOf, user } from "./transcripts/config.ts";
import { comparableFork, linesOf } from "./transcripts/fork.ts";

const lines: readonly Entry[] = [
  { type: "queue-operation", operation: "enqueue", content: "one" },
  user("u1", null, "one", { slug: "s", teamName: "", toolUseResult: { stdout: "x" } }),
  entry("attachment", "x1", "u1", { attachment: { type: "environment" } }),
  assistant("a1", "x1", "1", { requestId: "r" }),
  entry("progress", "p1", "a1"),
  user("u2", "p1", "two", { forkedFrom: { sessionId: idOf(7), messageUuid: "old" } }),
  assistant("a2", "u2", "2", { forkedFrom: { sessionId: idOf(7), messageUuid: "old" } }),
  user("side", "a2", "side", { isSidechain: true }),
  { type: "tools-used", tools: ["A"], sessionId: idOf(1) },
  { type: "tools-used", tools: ["A", "B"], sessionId: idOf(1) },
  { type: "atis-latch", atis: "x", sessionId: idOf(1) },
  { type: "content-replacement", sessionId: idOf(1), replacements: [{ a: 1 }] },
  { type: "content-replacement", sessionId: idOf(1), replacements: [{ b: 2 }] },
  { type: "cost-state", totalCostUSD: 1 },
  { type: "tag", tag: "t", sessionId: idOf(1) },
  entry("system", "b", null, {
    logicalParentUuid: "a2",
    subtype: "compact_boundary",
    compactMetadata: {
      trigger: "manual",
      postTokens: 5,
      durationMs: 9,
      preservedMessages: { anchorUuid: "s", uuids: ["u2", "a2"], allUuids: ["u2", "a2"] },
      preservedSegment: { headUuid: "u2", anchorUuid: "s", tailUuid: "a2" },
    },
  }),
  user("s", "b", "summary", { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
  user("u3", "s", "three"),
  entry("attachment", "q", "u3", {
    attachment: { type: "queued_command", prompt: "also", source_uuid: "qs", delivery_id: "d" },
  }),
  assistant("a3", "q", "3"),
  user("u4", "a3", "four", { sourceToolAssistantUUID: "a3" }),
];

describe("a fork is that of the official SDK", () => {
  async function fork(options: ForkSessionOptions = {}): Promise<void> {
    using config = createConfig();
    const source = config.write("/home/user/p", idOf(1), lines);
    const before = readFileSync(source, "utf8");
    const peerOptions = JSON.parse(JSON.stringify(options));

    const results: unknown[] = [];
    for (const run of [() => forkSession(idOf(1), options), () => peerFork(idOf(1), peerOptions)]) {
      const began = Date.now();
      try {
        const { sessionId } = await run();
        const path = join(dirname(source), `${sessionId}.jsonl`);
        expect(statSync(path).mode & 0o777).toBe(0o600);
        results.push(comparableFork(linesOf(path), sessionId, began));
      } catch (error) {
        results.push(error instanceof Error ? error.message : error);
      }
    }
    expect(results[0]).toEqual(results[1]);
    expect(readFileSync(source, "utf8")).toBe(before);
  }

  test("as a whole, with and without a title", async () => {
    await fork();
    await fork({ title: "  mine " });
    await fork({ title: " " });
  });

  const uuids = lines.flatMap((line) => (typeof line["uuid"] === "string" ? [line["uuid"]] : []));
  test.each([...uuids, "qs", "unknown", ""])("up to %s", async (upToMessageId) => {
    await fork({ upToMessageId });
  });

  test("of what cannot be forked", async () => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), [{ type: "tag", tag: "x" }]);

    for (const id of [idOf(1), idOf(2), "no id"]) {
      const message = await peerFork(id).catch((error: Error) => error.message);
      await expect(forkSession(id)).rejects.toThrow(String(message));
    }
  });

  test("in a store", async () => {
    const stores = [new InMemorySessionStore(), new InMemorySessionStore()];
    const key = { projectKey: projectKeyForPath("/home/user/p"), sessionId: idOf(1) };
    const results: unknown[] = [];
    for (const [index, sessionStore] of stores.entries()) {
      await sessionStore.append(key, lines as never);
      const began = Date.now();
      const { sessionId } = await (index === 0 ? forkSession : peerFork)(idOf(1), {
        dir: "/home/user/p",
        sessionStore,
      });
      // Through JSON, as a store would keep it.
      const stored: Entry[] = JSON.parse(JSON.stringify(await sessionStore.load({ ...key, sessionId })));
      results.push(comparableFork(stored, sessionId, began));
    }
    expect(results[0]).toEqual(results[1]);
  });
});

describe("mutations", () => {
  test("write what the official SDK writes, and fail with its messages", async () => {
    using config = createConfig();
    const path = config.write("/home/user/p", idOf(1), lines);
    const other = config.write("/home/user/p", idOf(2), lines);
    await renameSession(idOf(1), "  name ");
    await peerRename(idOf(2), "  name ");
    expect(linesOf(path).at(-1)).toEqual({ ...linesOf(other).at(-1), sessionId: idOf(1) });

    for (const options of [{}, { dir: "/tmp" }]) {
      const message = await peerRename(idOf(5), "x", options).catch((error: Error) => error.message);
      await expect(renameSession(idOf(5), "x", options)).rejects.toThrow(String(message));
      await expect(tagSession(idOf(5), "x", options)).rejects.toMatchObject({ code: "REINS_SESSION_NOT_FOUND" });
      const deletion = await peerDelete(idOf(5), options).catch((error: Error) => error.message);
      await expect(deleteSession(idOf(5), options)).rejects.toThrow(String(deletion));
    }
    await expect(renameSession("x", "t")).rejects.toThrow("Invalid sessionId: x");
    await expect(renameSession(idOf(1), " ")).rejects.toThrow("title must be non-empty");
    await expect(tagSession(idOf(1), "\u200b")).rejects.toThrow("tag must be non-empty (use null to clear)");
    rmSync(join(config.configDir, "projects"), { recursive: true });
    await expect(renameSession(idOf(1), "x")).rejects.toThrow(`Session ${idOf(1)} not found (no projects directory)`);
  });

  test("a torn last line is ended before an entry is appended", async () => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), [...lines, '{"type":"us'], { end: "" });

    await tagSession(idOf(1), "kept");

    expect((await getSessionInfo(idOf(1)))?.tag).toBe("kept");
  });

  test("archive and unarchive mark each copy", async () => {
    using config = createConfig();
    config.write("/a", idOf(1), lines);
    config.write("/b", idOf(1), lines);
    const archived = async (dir: string) => (await getSessionInfo(idOf(1), { dir }))?.archived;

    await archiveSession(idOf(1));
    expect([await archived("/a"), await archived("/b")]).toEqual([true, true]);
    expect(statSync(config.path("/a", idOf(1), "archived.json")).mode & 0o777).toBe(0o600);
    await unarchiveSession(idOf(1), { dir: "/a" });
    expect([await archived("/a"), await archived("/b")]).toEqual([false, true]);
    await expect(archiveSession(idOf(2))).rejects.toThrow(`Session ${idOf(2)} not found in any project directory`);
    await expect(archiveSession(idOf(1), { sessionStore: new InMemorySessionStore() })).rejects.toThrow(
      "not supported",
    );
  });

  test("deleting takes the folder along", async () => {
    using config = createConfig();
    config.write("/a", idOf(1), lines);
    await archiveSession(idOf(1));

    await deleteSession(idOf(1));

    expect(await getSessionInfo(idOf(1))).toBeUndefined();
    expect(() => statSync(config.path("/a", idOf(1)))).toThrow("ENOENT");
  });
});
