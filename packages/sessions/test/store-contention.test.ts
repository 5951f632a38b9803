import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSystemSessionStore } from "@reins/sessions";
import { expect, test } from "vitest";

const writer = join(import.meta.dirname, "fixtures", "append-in-turn.ts");
const key = { projectKey: "-project", sessionId: "shared" };

test("processes that write one session in turn, and are killed while they do, lose and mix nothing", async () => {
  const root = await mkdtemp(join(tmpdir(), `reins-contention-${process.pid}-`));
  try {
    // Three at a time; whoever is killed with the lock leaves it to the others.
    const lanes = [0, 1, 2].map(async (lane) => {
      const acknowledged: string[] = [];
      for (let n = 0; n < 3; n++) acknowledged.push(...(await writeAndKill(root, `w${lane}-${n}`)));
      return acknowledged;
    });
    const acknowledged = (await Promise.all(lanes)).flat();
    await using store = new FileSystemSessionStore({ root });
    await store.append(key, [{ type: "user", n: "last" }]);
    const found = (await store.load(key))?.map(({ n }) => String(n)) ?? [];
    const distinct = new Set(found);
    expect(found).toHaveLength(distinct.size);
    expect(acknowledged.filter((name) => !distinct.has(name))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(found.at(-1)).toBe("last");
    // The entries of a batch stand together.
    for (const name of acknowledged.filter((one) => one.endsWith("-0"))) {
      const start = found.indexOf(name);
      const batch = [0, 1, 2].map((i) => `${name.slice(0, -2)}-${i}`);
      expect(found.slice(start, start + 3)).toEqual(batch);
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}, 180_000);

/** Gives what a writer said was acknowledged before it was killed, at some moment behind its twentieth line. */
async function writeAndKill(root: string, name: string): Promise<string[]> {
  const argv = ["--conditions=@reins/source", "--import=tsx", writer, root, name];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  let said = "";
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.length > 200) timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * 300);
  });
  // One that never gets its turn is killed too.
  const patience = setTimeout(() => child.kill("SIGKILL"), 10_000);
  const [, signal] = await closed;
  clearTimeout(timer);
  clearTimeout(patience);
  expect(stderr).toBe("");
  expect(signal).toBe("SIGKILL");
  return said.split("\n").slice(0, -1);
}
