import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  CorruptTranscriptError,
  FileSystemSessionStore,
  type FileSystemSessionStoreOptions,
  foldSessionSummary,
  InvalidEntryError,
  InvalidSessionKeyError,
  SessionInUseError,
  type SessionKey,
  type SessionStoreEntry,
  SessionStoreError,
  type TranscriptRepair,
  verifySession,
} from "@reins/sessions";
import { startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";

const key: SessionKey = { projectKey: "-project", sessionId: "5e551011-0000-4000-8000-000000000001" };
const subkey: SessionKey = { ...key, subpath: "subagents/agent-a" };

/** A folder that goes with the test, and stores on it. */
async function setUp() {
  const parent = await mkdtemp(join(tmpdir(), `reins-files-${process.pid}-`));
  const root = join(parent, "root");
  const folder = join(root, "projects", key.projectKey, key.sessionId);
  const stores: FileSystemSessionStore[] = [];
  return {
    parent,
    root,
    folder,
    transcript: join(folder, "main", "transcript.jsonl"),
    open(options: Partial<FileSystemSessionStoreOptions> = {}) {
      const store = new FileSystemSessionStore({ root, fsync: "never", ...options });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store.close()));
      await rm(parent, { recursive: true, force: true });
    },
  };
}

function entries(from: number, to: number): SessionStoreEntry[] {
  return Array.from({ length: to - from }, (_, i) => ({ type: "user", uuid: `u-${from + i}`, n: from + i }));
}

describe("the end of a transcript", () => {
  test("is cut where a writer died in a line, and the cut is reported", async () => {
    await using files = await setUp();
    const first = files.open();
    await first.append(key, entries(0, 3));
    await first.close();
    const { size } = await stat(files.transcript);
    await appendFile(files.transcript, '{"type":"user","uuid":"u-3","te');

    const repairs: TranscriptRepair[] = [];
    const second = files.open({ onRepair: (repair) => repairs.push(repair) });
    expect(await second.load(key)).toEqual(entries(0, 3));
    expect((await verifySession(second, key)).issues.map(({ kind }) => kind)).toContain("torn-end");
    await second.append(key, entries(3, 5));

    expect(await second.load(key)).toEqual(entries(0, 5));
    expect(repairs).toEqual([
      {
        key,
        path: files.transcript,
        byteOffset: size,
        bytes: 31,
        action: "cut",
        excerpt: '{"type":"user","uuid":"u-3","te',
      },
    ]);
    expect((await verifySession(second, key)).issues.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("keeps an entry whose newline is missing", async () => {
    await using files = await setUp();
    const first = files.open();
    await first.append(key, entries(0, 1));
    await first.close();
    await appendFile(files.transcript, JSON.stringify({ type: "user", uuid: "u-1", n: 1 }));
    const repairs: TranscriptRepair[] = [];
    const second = files.open({ onRepair: (repair) => repairs.push(repair) });
    await second.append(key, entries(1, 3));
    expect(await second.load(key)).toEqual(entries(0, 3));
    expect(repairs).toMatchObject([{ action: "completed" }]);
  });

  test("is cut where a power failure left zeros behind it", async () => {
    await using files = await setUp();
    const first = files.open();
    await first.append(key, entries(0, 2));
    await first.close();
    await truncate(files.transcript, (await stat(files.transcript)).size + 5_000);
    const second = files.open();
    await second.append(key, entries(2, 4));
    expect(await second.load(key)).toEqual(entries(0, 4));
  });

  test("stays as it is when a broken line stands before a whole one: loading says where, and nothing is cut", async () => {
    await using files = await setUp();
    const store = files.open({ lockIdleMs: 1 });
    await store.append(key, entries(0, 1));
    const { size } = await stat(files.transcript);
    await store.close();
    await appendFile(files.transcript, `half a li\n${JSON.stringify({ type: "user", uuid: "u-9" })}\n`);
    const second = files.open();
    await second.append(key, entries(1, 2));
    const failure = await second.load(key).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CorruptTranscriptError);
    expect(failure).toMatchObject({
      byteOffset: size,
      path: files.transcript,
      retryable: false,
      operation: "load",
      key,
    });
    const report = await verifySession(second, key);
    expect(report.ok).toBe(false);
    expect(report.issues).toContainEqual(expect.objectContaining({ kind: "broken-line", byteOffset: size }));
    expect(await readFile(files.transcript, "utf8")).toContain("half a li\n");
  });
});

describe("a transcript that somebody else changed under the lock", () => {
  test.each<[string, (path: string) => Promise<void>, number]>([
    ["torn at its end", (path) => appendFile(path, '{"type":"us'), 3],
    ["made longer", (path) => appendFile(path, `${JSON.stringify({ type: "user", uuid: "u-9", n: 9 })}\n`), 4],
    ["emptied", (path) => truncate(path, 0), 1],
    ["removed", (path) => rm(path), 1],
  ])("is read anew before the next append when it was %s", async (_, change, length) => {
    await using files = await setUp();
    const store = files.open();
    await store.append(key, entries(0, 2));
    await change(files.transcript);
    await store.append(key, entries(2, 3));
    const loaded = (await store.load(key)) ?? [];
    expect(loaded).toHaveLength(length);
    expect(loaded.at(-1)).toEqual(entries(2, 3)[0]);
    const [summary] = await store.listSessionSummaries(key.projectKey);
    expect(summary?.data).toEqual(foldSessionSummary(undefined, key, loaded).data);
  });
});

describe("what stands beside a transcript", () => {
  test.each(["summary.json", "uuids.jsonl"])("is made again when %s is lost, cut or foreign", async (name) => {
    await using files = await setUp();
    const path = join(dirname(files.transcript), name);
    let expected: SessionStoreEntry[] = [];
    for (const spoil of [
      () => rm(path),
      () => truncate(path, 7),
      () => writeFile(path, "{}\n"),
      () => writeFile(path, "\0\0"),
    ]) {
      const store = files.open();
      const n = expected.length;
      await store.append(key, [
        ...entries(n, n + 2),
        { type: "custom-title", uuid: `u-${n + 2}`, customTitle: `T${n}` },
      ]);
      expected = (await store.load(key)) ?? [];
      expect(expected).toHaveLength(n + 3);
      await store.close();
      await spoil();
      const second = files.open();
      const [summary] = await second.listSessionSummaries(key.projectKey);
      expect(summary?.data).toEqual(foldSessionSummary(undefined, key, expected).data);
      await second.append(key, expected);
      expect(await second.load(key)).toEqual(expected);
      expect(await verifySession(second, key)).toMatchObject({ ok: true });
      await second.close();
    }
  });

  test("is not read as a transcript's when the transcript was deleted and begun anew", async () => {
    await using files = await setUp();
    const store = files.open({ lockIdleMs: 1 });
    await store.append(subkey, entries(0, 3));
    await store.close();
    await rm(join(files.folder, "sub.subagents%2fagent-a", "transcript.jsonl"));
    const second = files.open();
    await second.append(subkey, entries(0, 1));
    expect(await second.load(subkey)).toEqual(entries(0, 1));
  });
});

describe("the lock of a session", () => {
  test("keeps a second store out until the first is closed", async () => {
    await using files = await setUp();
    const [first, second] = [files.open(), files.open()];
    await first.append(key, entries(0, 1));
    const refused = await second.append(subkey, entries(0, 1)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SessionInUseError);
    expect(refused).toMatchObject({ retryable: true, holder: { by: "lock", owner: `${hostname()}:${process.pid}` } });
    await expect(second.delete(key)).rejects.toThrow(SessionInUseError);
    expect(await second.load(key)).toEqual(entries(0, 1));
    await first.close();
    await second.append(key, entries(1, 2));
    expect(await second.load(key)).toEqual(entries(0, 2));
  });

  test("keeps another process out as long as the first lives", async () => {
    await using files = await setUp();
    const writer = join(import.meta.dirname, "fixtures", "append-until-killed.ts");
    const argv = ["--conditions=@reins/source", "--import=tsx", writer, files.root, "never", "0"];
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(child, "exit");
    const theirs = { projectKey: "-project", sessionId: "s1" };
    const store = files.open();
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk) => String(chunk).includes("acknowledged") && resolve());
    });
    // It goes on writing, so the lock is its own whenever we look.
    await expect(store.append(theirs, entries(0, 1))).rejects.toMatchObject({
      holder: { by: "lock", owner: `${hostname()}:${child.pid}` },
    });
    expect((await store.load(theirs))?.length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await exited;
    await store.append(theirs, entries(0, 1));
    expect((await store.load(theirs))?.at(-1)).toEqual(entries(0, 1)[0]);
  });

  test("is given back when the session was not written for a while", async () => {
    await using files = await setUp();
    const [first, second] = [files.open({ lockIdleMs: 20 }), files.open()];
    await first.append(key, entries(0, 1));
    await expect
      .poll(() =>
        second.append(key, entries(1, 2)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await second.close();
    await first.append(key, entries(1, 3));
    expect(await first.load(key)).toEqual(entries(0, 3));
  });

  test("is taken over from a process that is gone, by one of many who try", async () => {
    await using files = await setUp();
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    const self = JSON.parse(await ownLock(files)) as object;
    await writeFile(join(files.folder, "lock.7"), JSON.stringify({ ...self, pid: child.pid }));
    const stores = Array.from({ length: 10 }, () => files.open());
    const done = await Promise.allSettled(stores.map((store, n) => store.append(key, entries(n, n + 1))));
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of done)
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(SessionInUseError);
    expect(await stores[0]?.load(key)).toHaveLength(1);
  });

  test("of a process id that was given out again counts as free", async () => {
    await using files = await setUp();
    const self = JSON.parse(await ownLock(files)) as object;
    await writeFile(join(files.folder, "lock.7"), JSON.stringify({ ...self, pid: process.pid, started: "1" }));
    await files.open().append(key, entries(0, 1));
  });

  test("of another machine is respected for a minute", async () => {
    await using files = await setUp();
    const lock = join(files.folder, "lock.7");
    await mkdir(files.folder, { recursive: true });
    await writeFile(lock, JSON.stringify({ host: "elsewhere", machine: "x", pid: 1, started: "1" }));
    const store = files.open();
    await expect(store.append(key, entries(0, 1))).rejects.toMatchObject({ holder: { owner: "elsewhere:1" } });
    const past = new Date(Date.now() - 61_000);
    await utimes(lock, past, past);
    await store.append(key, entries(0, 1));
    expect(await store.load(key)).toEqual(entries(0, 1));
  });

  test("that was lost is noticed before the next write, and nothing is lost by it", async () => {
    await using files = await setUp();
    const [stopped, other] = [files.open(), files.open()];
    await stopped.append(key, entries(0, 1));
    const past = new Date(Date.now() - 61_000);
    await utimes(join(files.folder, "lock.1"), past, past);
    await other.append(key, entries(1, 2));
    await expect(stopped.append(key, entries(2, 3))).rejects.toThrow(SessionInUseError);
    await other.close();
    await stopped.append(key, entries(2, 3));
    expect(await stopped.load(key)).toEqual(entries(0, 3));
  });

  /** Content of the lock of this process, which stays behind as a free one. */
  async function ownLock(files: Awaited<ReturnType<typeof setUp>>): Promise<string> {
    const store = files.open();
    const lease = await store.acquireSessionLease(key);
    const content = await readFile(join(files.folder, "lock.1"), "utf8");
    await store.releaseSessionLease(lease);
    await store.close();
    return content;
  }
});

describe("a store of files", () => {
  test("keeps hostile keys in its root", async () => {
    await using files = await setUp();
    const store = files.open();
    for (const part of ["..", "../..", "/tmp/x", "a/../../b", "..\\..\\b", "C:\\b", "\0", "."]) {
      await store.append({ projectKey: part, sessionId: part, subpath: part }, entries(0, 1));
      await store.append({ projectKey: part, sessionId: part }, entries(0, 1));
      await store.delete({ projectKey: part, sessionId: part });
    }
    expect(await readdir(files.parent)).toEqual(["root"]);
    expect((await readdir(files.root)).sort()).toEqual(["projects", "trash"]);
    expect(await readdir(join(files.root, "trash"))).toEqual([]);
  });

  test("lets only its owner read", async () => {
    await using files = await setUp();
    const store = files.open();
    await store.append(key, entries(0, 1));
    expect((await stat(files.transcript)).mode & 0o777).toBe(0o600);
    for (const folder of [files.folder, files.root]) expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test("refuses what is no key or no entry, before anything is written", async () => {
    await using files = await setUp();
    const store = files.open();
    await expect(store.append({ ...key, subpath: "" }, entries(0, 1))).rejects.toThrow(InvalidSessionKeyError);
    await expect(store.load({ ...key, sessionId: "" })).rejects.toThrow(InvalidSessionKeyError);
    const circular: SessionStoreEntry = { type: "user" };
    circular["self"] = circular;
    const failure = await store.append(key, [...entries(0, 1), circular]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidEntryError);
    expect(failure).toMatchObject({ index: 1, key, operation: "append" });
    expect(await store.load(key)).toBeNull();
  });

  test("says what failed when the system refuses, and goes on when it does not any more", async () => {
    await using files = await setUp();
    const store = files.open();
    await mkdir(files.transcript, { recursive: true });
    const failure = await store.append(key, entries(0, 1)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SessionStoreError);
    expect(failure).toMatchObject({ operation: "append", key, retryable: false, cause: { code: "EISDIR" } });
    await rm(files.transcript, { recursive: true });
    await store.append(key, entries(0, 1));
    expect(await store.load(key)).toEqual(entries(0, 1));
  });

  test("removes what a deletion left that was cut short", async () => {
    await using files = await setUp();
    await mkdir(join(files.root, "trash", "left"), { recursive: true });
    await writeFile(join(files.root, "trash", "left", "transcript.jsonl"), "secret");
    await files.open().append(key, entries(0, 1));
    expect(await readdir(join(files.root, "trash"))).toEqual([]);
  });

  test("finishes what was begun when it is closed, refuses writes afterwards, and leaves nothing behind", async () => {
    await using leaks = startLeakCheck();
    await using files = await setUp();
    const store = files.open();
    const writing = Promise.all([0, 1, 2].map((n) => store.append(key, entries(n, n + 1))));
    await Promise.all([store.close(), store.close()]);
    await writing;
    expect(await store.load(key)).toEqual(entries(0, 3));
    await expect(store.append(key, entries(3, 4))).rejects.toThrow(SessionStoreError);
    expect(await readFile(join(files.folder, "lock.1"), "utf8")).toMatch(/^free\n/);
    await files[Symbol.asyncDispose]();
    await leaks.assertClean();
  });

  test("does not keep its process alive", async () => {
    await using files = await setUp();
    const script = `
      import { FileSystemSessionStore } from "@reins/sessions";
      const store = new FileSystemSessionStore({ root: ${JSON.stringify(files.root)}, lockIdleMs: 30_000 });
      await store.append(${JSON.stringify(key)}, ${JSON.stringify(entries(0, 1))});
    `;
    const argv = ["--conditions=@reins/source", "--import=tsx", "--input-type=module", "-e", script];
    const child = spawn(process.execPath, argv, { cwd: import.meta.dirname, stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([0, null]);
    // Its lock is that of a process that is gone.
    const store = files.open();
    await store.append(key, entries(1, 2));
    expect(await store.load(key)).toEqual(entries(0, 2));
  });

  test("works with few descriptors, whatever is asked for at once", async () => {
    await using files = await setUp();
    const argv = [
      "--conditions=@reins/source",
      "--import=tsx",
      join(import.meta.dirname, "fixtures", "many-sessions.ts"),
    ];
    const command = `ulimit -n 96; exec "$0" "$@"`;
    const child = spawn("sh", ["-c", command, process.execPath, ...argv, files.root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(JSON.parse(output)).toEqual({ listed: 300, summaries: 300, loaded: 300 });
  });
});
