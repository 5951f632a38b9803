import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FileSystemSessionStore } from "@reins/sessions";
import { startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";

// Disks that take no more. In processes of their own, as limits and users are those of a process.

const run = promisify(execFile);
const node = [process.execPath, "--conditions=@reins/source", "--import=tsx"];

interface SmallDisk {
  /** The command that runs its arguments with the disk at a folder. */
  readonly command: (folder: string) => readonly [string, ...string[]];
  /** What the system says when it is full. */
  readonly code: string;
}

/** A file system of 512 KB where one may mount one; else a limit on the size of files, which fails in the same places. */
function smallDisk(): SmallDisk {
  const inNamespace = ["--user", "--map-root-user", "--mount"];
  const mount = 'mount -t tmpfs -o size=512k none "$0"; exec "$@"';
  try {
    execFileSync("unshare", [...inNamespace, "sh", "-ec", mount, tmpdir(), "true"], { stdio: "ignore" });
    return { command: (folder) => ["unshare", ...inNamespace, "sh", "-ec", mount, folder], code: "ENOSPC" };
  } catch {
    return { command: () => ["sh", "-c", 'ulimit -f 512; exec "$@"', "sh"], code: "EFBIG" };
  }
}

async function inFolder(
  command: (folder: string) => readonly [string, ...string[]],
  fixture: string,
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), `reins-disk-${process.pid}-`));
  try {
    const [program, ...argv] = [...command(folder), ...node, join(import.meta.dirname, "fixtures", fixture), folder];
    const { stdout } = await run(program, argv, { cwd: import.meta.dirname, timeout: 50_000 });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("a full disk fails the append that has no room, whole and with a reason, and costs nothing that was stored", async () => {
  await using _leaks = startLeakCheck();
  const { command, code } = smallDisk();
  const failure = { name: "SessionStoreError", operation: "append", retryable: code === "ENOSPC", cause: code };
  const seen = await inFolder(command, "full-disk.ts");
  expect(seen).toMatchObject({ failure, other: failure, listed: ["one"], isWhole: true });
  const { stored, loaded, kept, small } = seen as Record<string, unknown>;
  expect(stored).toBeGreaterThan(50);
  // A batch that failed is not half there. What is small enough may find room, or not.
  expect([loaded, kept]).toEqual([stored, Number(stored) + (small === undefined ? 1 : 0)]);
});

test("folders that may only be read are read; writing fails with the reason, and leaves what is there", async () => {
  await using _leaks = startLeakCheck();
  const seen = await inFolder(() => ["env"], "read-only.ts");
  const denied = (operation: string): object => ({
    name: "SessionStoreError",
    operation,
    retryable: false,
    cause: "EACCES",
  });
  const entries = [{ type: "user", uuid: "1" }];
  expect(seen).toEqual({
    loaded: entries,
    listed: ["one"],
    appended: denied("append"),
    created: denied("append"),
    deleted: denied("delete"),
    loadedAfterwards: entries,
    absentLoaded: null,
    absentListed: [],
    absentAppended: denied("append"),
  });
});

test("a folder that takes no folders below it, and says that there is no such one, fails the append", async () => {
  const store = new FileSystemSessionStore({ root: "/proc/x/y" });
  const entry = { type: "user", uuid: "5e551011-0000-4000-8000-000000000001" };
  await expect(store.append({ projectKey: "-p", sessionId: "s" }, [entry])).rejects.toThrow("/proc/x");
});
