import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  copySession,
  exportSession,
  importSession,
  MemorySessionStore,
  SessionConflictError,
  type SessionStore,
  type SessionStoreEntry,
  verifySession,
} from "@reins/sessions";
import { describe, expect, test } from "vitest";

const sessionId = "5e551011-0000-4000-8000-000000000001";
const session = { projectKey: "-project", sessionId };
const title: SessionStoreEntry = { type: "custom-title", customTitle: "A title", sessionId };

function chain(from: number, to: number): SessionStoreEntry[] {
  return Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    return { type: n % 2 ? "assistant" : "user", uuid: `u-${n}`, parentUuid: n === 0 ? null : `u-${n - 1}`, sessionId };
  });
}

/** A folder that goes with the test. */
async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), `reins-transfer-${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A config folder of the CLI with one session: two subagents, one of them nested, side files, request records, damaged lines. */
async function writeSession(configDir: string): Promise<string> {
  const project = join(configDir, "projects", "-project");
  const files = {
    [`${sessionId}.jsonl`]: [
      ...lines(chain(0, 2)),
      '{"type":"api-request","system":"long"}',
      "",
      '{"torn',
      ...lines([title, ...chain(2, 4)]),
      '{"type":"api-request-blob","hash":"x"}',
    ].join("\n"),
    [`${sessionId}/subagents/agent-a1.jsonl`]: `${lines(chain(10, 12)).join("\n")}\n`,
    [`${sessionId}/subagents/agent-a1.meta.json`]: '{"agentType":"Explore","type":"stray"}',
    [`${sessionId}/subagents/workflows/run/agent-a2.jsonl`]: `${lines(chain(20, 21)).join("\n")}\n`,
    [`${sessionId}/subagents/workflows/run/agent-a2.meta.json`]: "{broken",
    [`${sessionId}/custom-title.json`]: '{"customTitle":"Not a transcript"}',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), content);
  }
  return project;
}

function lines(entries: readonly SessionStoreEntry[]): string[] {
  return entries.map((entry) => JSON.stringify(entry));
}

describe("importSession", () => {
  test("brings a session with its subagents into a store, under the folder that it was found in", async () => {
    await using folder = await temporaryFolder();
    await writeSession(folder.path);
    const store = new MemorySessionStore();
    const problems: unknown[] = [];
    const report = await importSession(sessionId, store, {
      configDir: folder.path,
      onProblem: (problem) => problems.push(problem),
    });
    expect(report.key).toEqual(session);
    expect(report.transcripts.at(-1)).toEqual({ key: session, appended: 5, alreadyThere: 0, skippedLines: 1 });
    expect(problems).toMatchObject([{ code: "REINS_TRANSCRIPT_LINE" }]);
    expect(await store.load(session)).toEqual([...chain(0, 2), title, ...chain(2, 4)]);
    expect((await store.listSubkeys(session)).sort()).toEqual([
      "subagents/agent-a1",
      "subagents/workflows/run/agent-a2",
    ]);
    expect(await store.load({ ...session, subpath: "subagents/agent-a1" })).toEqual([
      ...chain(10, 12),
      { agentType: "Explore", type: "agent_metadata" },
    ]);
    expect(await store.load({ ...session, subpath: "subagents/workflows/run/agent-a2" })).toEqual(chain(20, 21));
  });

  test("goes on where the store ends, entries without uuid and side files included", async () => {
    await using folder = await temporaryFolder();
    const project = await writeSession(folder.path);
    const store = new MemorySessionStore();
    await importSession(sessionId, store, { configDir: folder.path });
    await writeFile(
      join(project, `${sessionId}.jsonl`),
      lines([...chain(0, 2), title, ...chain(2, 4), title, ...chain(4, 5)]).join("\n"),
    );
    const { transcripts } = await importSession(sessionId, store, { configDir: folder.path });
    expect(transcripts.map(({ appended }) => appended)).toEqual([0, 0, 2]);
    expect(await store.load(session)).toHaveLength(7);
    expect(await store.load({ ...session, subpath: "subagents/agent-a1" })).toHaveLength(3);
  });

  test("leaves subagents out or brings request records along, as asked", async () => {
    await using folder = await temporaryFolder();
    await writeSession(folder.path);
    const store = new MemorySessionStore();
    const options = {
      configDir: folder.path,
      includeSubagents: false,
      includeApiRequests: true,
      projectKey: "tenant-7",
    };
    const { key } = await importSession(sessionId, store, options);
    expect(key.projectKey).toBe("tenant-7");
    expect(await store.listSubkeys(key)).toEqual([]);
    expect((await store.load(key))?.map(({ type }) => type)).toContain("api-request-blob");
  });

  test("refuses what is no session id, and says when there is no such session", async () => {
    await using folder = await temporaryFolder();
    const store = new MemorySessionStore();
    await expect(importSession("../x", store, { configDir: folder.path })).rejects.toThrow("Invalid sessionId: ../x");
    await expect(importSession(sessionId, store, { configDir: folder.path })).rejects.toMatchObject({
      code: "REINS_SESSION_NOT_FOUND",
    });
  });
});

describe("exportSession", () => {
  test("writes the files that importSession reads, for their owner alone", async () => {
    await using folder = await temporaryFolder();
    await writeSession(join(folder.path, "a"));
    const store = new MemorySessionStore();
    await importSession(sessionId, store, { configDir: join(folder.path, "a") });
    const directory = join(folder.path, "b", "projects", "-project");
    const { path, files, refusedSubpaths } = await exportSession(store, session, { directory });
    expect(refusedSubpaths).toEqual([]);
    expect(files).toHaveLength(4);
    expect(files.at(-1)).toBe(path);
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(join(directory, sessionId, "subagents", "agent-a1.meta.json"), "utf8")).toBe(
      '{"agentType":"Explore"}',
    );
    const copy = new MemorySessionStore();
    await importSession(sessionId, copy, { configDir: join(folder.path, "b") });
    for (const key of [session, { ...session, subpath: "subagents/agent-a1" }]) {
      expect(await copy.load(key)).toEqual(await store.load(key));
    }
  });

  test("refuses subpaths that lead out of the session's folder, without loading them", async () => {
    await using folder = await temporaryFolder();
    const loaded: unknown[] = [];
    const hostile = [
      "../../evil",
      "/etc/evil",
      "a/../../evil",
      "a\\..\\..\\evil",
      "C:\\evil",
      "c:evil",
      "\\\\host\\evil",
      "a//b",
      ".",
      "a\0",
    ];
    const store: SessionStore = {
      append: async () => {},
      load: async (key) => {
        loaded.push(key.subpath);
        return chain(0, 1);
      },
      listSubkeys: async () => [...hostile, "", "subagents/agent-a"],
    };
    const { refusedSubpaths } = await exportSession(store, session, { directory: join(folder.path, "x") });
    expect(refusedSubpaths).toEqual([...hostile, ""]);
    expect(loaded).toEqual([undefined, "subagents/agent-a"]);
    expect(await readdir(folder.path)).toEqual(["x"]);
    await expect(exportSession(store, { ...session, sessionId: "../x" }, { directory: folder.path })).rejects.toThrow(
      TypeError,
    );
  });

  test("replaces nothing unless it is told to", async () => {
    await using folder = await temporaryFolder();
    const store = new MemorySessionStore();
    await store.append(session, chain(0, 2));
    await exportSession(store, session, { directory: folder.path });
    await expect(exportSession(store, session, { directory: folder.path })).rejects.toThrow("is there already");
    await store.append(session, chain(2, 3));
    const { path } = await exportSession(store, session, { directory: folder.path, overwrite: true });
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(4);
  });
});

describe("copySession", () => {
  test("goes on after an interruption, and stores nothing twice", async () => {
    const from = new MemorySessionStore();
    await from.append(session, [...chain(0, 4), title, title, ...chain(4, 8)]);
    await from.append({ ...session, subpath: "subagents/agent-a" }, [{ type: "agent_metadata" }, ...chain(10, 13)]);
    const target = new MemorySessionStore();
    let appends = 0;
    // Fails after every second batch, and after the batch was stored.
    const flaky: SessionStore = {
      load: (key) => target.load(key),
      async append(key, entries) {
        await target.append(key, entries);
        if (++appends % 2 === 0) throw new Error("connection lost");
      },
    };
    let failures = 0;
    while (true) {
      try {
        await copySession(from, flaky, session, { batchSize: 2 });
        break;
      } catch {
        failures++;
      }
    }
    expect(failures).toBeGreaterThan(1);
    for (const key of [session, { ...session, subpath: "subagents/agent-a" }]) {
      expect(await target.load(key)).toEqual(await from.load(key));
    }
    expect((await copySession(from, target, session)).transcripts.map(({ appended }) => appended)).toEqual([0, 0]);
  });

  test("copies under another name, and nothing into another session", async () => {
    const [from, to] = [new MemorySessionStore(), new MemorySessionStore()];
    await from.append(session, chain(0, 3));
    await copySession(from, to, session, { as: { ...session, projectKey: "tenant" } });
    expect(await to.load({ ...session, projectKey: "tenant" })).toEqual(chain(0, 3));
    await to.append(session, chain(1, 2));
    const failure = await copySession(from, to, session).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SessionConflictError);
    expect(failure).toMatchObject({ index: 0 });
    expect(await to.load(session)).toEqual(chain(1, 2));
  });

  test("copies what a source without uuids holds twice once, and stops when it is told to", async () => {
    const twice: SessionStore = { append: async () => {}, load: async () => [...chain(0, 3), ...chain(1, 4)] };
    const to = new MemorySessionStore();
    await expect(copySession(twice, to, session, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );
    expect(to.size).toBe(0);
    expect(await copySession(twice, to, session)).toMatchObject({ withSubpaths: false });
    expect(await copySession(twice, to, session)).toMatchObject({ transcripts: [{ appended: 0, alreadyThere: 4 }] });
    expect(await to.load(session)).toEqual(chain(0, 4));
  });
});

describe("verifySession", () => {
  test("finds nothing in a session in order", async () => {
    const store = new MemorySessionStore();
    await store.append(session, [...chain(0, 4), title]);
    await store.append(
      { ...session, subpath: "subagents/agent-a" },
      chain(10, 10 + 1).map((entry) => ({ ...entry, parentUuid: null })),
    );
    expect(await verifySession(store, session)).toMatchObject({
      ok: true,
      issues: [],
      transcripts: [{ entries: 5 }, { entries: 1 }],
    });
  });

  test.each([
    ["unknown-parent", [...chain(0, 2), ...chain(3, 4)]],
    [
      "cycle",
      [
        { type: "user", uuid: "a", parentUuid: "b" },
        { type: "user", uuid: "b", parentUuid: "a" },
      ],
    ],
    ["duplicate-uuid", [...chain(0, 2), ...chain(1, 2)]],
    ["second-root", [...chain(0, 2), { type: "user", uuid: "x", parentUuid: null }]],
    ["foreign-session", [...chain(0, 1), { type: "tag", sessionId: "other" }]],
    ["bad-timestamp", [{ type: "user", timestamp: "yesterday" }]],
    ["no-messages", [title]],
    ["stale-summary", [...chain(0, 1), { type: "tag", tag: "late" }]],
    ["not-listed", chain(0, 1)],
  ])("finds %s", async (kind, entries) => {
    const store: SessionStore = {
      append: async () => {},
      load: async () => entries,
      listSessions: async () => (kind === "not-listed" ? [] : [{ sessionId, mtime: Date.now() }]),
      listSessionSummaries: async () => [{ sessionId, mtime: Date.now(), data: { isSidechain: false } }],
    };
    const { ok, issues } = await verifySession(store, session);
    const found = issues.filter((issue) => issue.kind === kind);
    expect(found).toHaveLength(1);
    expect(ok).toBe(issues.every(({ severity }) => severity === "warning"));
  });

  test("does not take a compaction for a second chain, nor walk for ever on a long one", async () => {
    const store = new MemorySessionStore();
    const boundary = { type: "system", subtype: "compact_boundary", uuid: "c", parentUuid: null };
    await store.append(session, [...chain(0, 100_000), boundary]);
    expect(await verifySession(store, session)).toMatchObject({ ok: true, issues: [] });
  });
});
