import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSystemSessionStore, type FsyncPolicy, foldSessionSummary, type SessionKey } from "@reins/sessions";
import { decodeFrames } from "@reins/streamjson";
import { expect, test } from "vitest";

/** `pnpm run kill` in the package asks for 500. */
const kills = Number(process.env["REINS_STORE_KILLS"] ?? 40);
const lanes = 4;
const killsPerRoot = 15;
const writer = join(import.meta.dirname, "fixtures", "append-until-killed.ts");

/** What has to be in a transcript, and what may be in it. */
interface Expected {
  readonly key: SessionKey;
  readonly acknowledged: Set<number>;
  readonly begun: Set<number>;
}

interface Said {
  readonly begin?: { key: SessionKey; entries: number[] };
  readonly acknowledged?: { key: SessionKey; entries: number[] };
}

test.concurrent.each(Array.from({ length: lanes }, (_, lane) => lane))(
  "a store whose process is killed again and again loses nothing that was acknowledged and opens each time (%i)",
  async (lane) => {
    const fsync = lane % 2 === 0 ? "always" : "never";
    // A new root now and then, since every kill makes the transcripts longer.
    for (let left = kills / lanes; left > 0; left -= killsPerRoot) {
      expect(await killAgainAndAgain(fsync, Math.min(left, killsPerRoot))).toBeGreaterThan(0);
    }
  },
  kills * 3_000 + 60_000,
);

/** Gives how many entries were acknowledged. */
async function killAgainAndAgain(fsync: FsyncPolicy, times: number): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), `reins-kill-${process.pid}-`));
  const expected = new Map<string, Expected>();
  let acknowledged = 0;
  try {
    for (let n = 0; n < times; n++) {
      const said = await writeAndKill(root, fsync, n * 100_000);
      for (const { begin, acknowledged: done } of said) {
        if (begin !== undefined) for (const entry of begin.entries) expectedOf(expected, begin.key).begun.add(entry);
        if (done === undefined) continue;
        for (const entry of done.entries) expectedOf(expected, done.key).acknowledged.add(entry);
        acknowledged += done.entries.length;
      }
      await checkStore(root, fsync, expected, n * 100_000 + 99_999);
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return acknowledged;
}

/** Starts a writer and kills it at some moment of its work. Gives what it said. */
async function writeAndKill(root: string, fsync: FsyncPolicy, first: number): Promise<Said[]> {
  const argv = ["--conditions=@reins/source", "--import=tsx", writer, root, fsync, String(first)];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const said: Said[] = [];
  let timer: NodeJS.Timeout | undefined;
  // What was said before the kill is still in the pipe and is read to its end.
  for await (const { value } of decodeFrames(child.stdout, { onMalformed: "skip" })) {
    // Only the writer writes here.
    said.push(value as Said);
    timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * 120);
  }
  clearTimeout(timer);
  const [, signal] = await exited;
  expect(stderr).toBe("");
  expect(signal).toBe("SIGKILL");
  return said;
}

async function checkStore(root: string, fsync: FsyncPolicy, all: Map<string, Expected>, extra: number): Promise<void> {
  await using store = new FileSystemSessionStore({ root, fsync });
  for (const expected of all.values()) {
    const { key, acknowledged, begun } = expected;
    const before = (await store.load(key)) ?? [];
    const numbers = before.map(({ n }) => Number(n));
    const found = new Set(numbers);
    expect(found.size).toBe(numbers.length);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect([...acknowledged].filter((n) => !found.has(n))).toEqual([]);
    expect(numbers.filter((n) => !begun.has(n))).toEqual([]);
    // The lock of the dead is taken over, and what it left is repaired.
    await store.append(key, [{ type: "user", n: extra }]);
    expect(await store.load(key)).toEqual([...before, { type: "user", n: extra }]);
    // Whatever was not acknowledged and is there stays there.
    for (const n of [...numbers, extra]) {
      acknowledged.add(n);
      begun.add(n);
    }
  }
  // A deletion that was cut short has happened or not.
  const scratch = { projectKey: "-project", sessionId: "scratch" };
  const left = (await store.load(scratch)) ?? [];
  await store.append(scratch, [{ type: "user", uuid: `after-${extra}` }]);
  expect(await store.load(scratch)).toEqual([...left, { type: "user", uuid: `after-${extra}` }]);
  const listed = (await store.listSessions("-project")).map(({ sessionId }) => sessionId);
  for (const { sessionId, data } of await store.listSessionSummaries("-project")) {
    const key = { projectKey: "-project", sessionId };
    expect(listed).toContain(sessionId);
    expect(data).toEqual(foldSessionSummary(undefined, key, (await store.load(key)) ?? []).data);
  }
}

function expectedOf(all: Map<string, Expected>, key: SessionKey): Expected {
  const id = JSON.stringify(key);
  const known = all.get(id) ?? { key, acknowledged: new Set(), begun: new Set() };
  all.set(id, known);
  return known;
}
