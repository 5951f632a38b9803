import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import {
  createSandbox,
  findTestBinary,
  type Leak,
  type LeakCheckOptions,
  LeakError,
  startLeakCheck,
  startScriptedModel,
  toolUse,
} from "../src/index.ts";

type Undo = () => unknown;

/** Runs code that leaks on purpose and returns what the check finds; then undoes it, and proves that nothing is found any more. */
async function leaksOf(leak: () => Promise<Undo> | Undo, options: LeakCheckOptions = {}): Promise<readonly Leak[]> {
  await using _outer = startLeakCheck(options);
  const check = startLeakCheck({ timeoutMs: 100, ...options });
  const undo = await leak();
  try {
    const error: unknown = await check.assertClean().catch((reason: unknown) => reason);
    if (error === undefined) return [];
    if (!(error instanceof LeakError)) throw error;
    for (const { kind, what } of error.leaks) expect(error.message).toContain(`- ${kind}: ${what}`);
    return error.leaks;
  } finally {
    await undo();
  }
}

/** Starts a program that lives until it is killed, and one more beneath it. */
async function startTwo(): Promise<{ readonly child: ChildProcess; readonly grandchildPid: number }> {
  const endless = "setInterval(() => {}, 1000)";
  const program = `
    const child = require("node:child_process").spawn(process.execPath, ["-e", "${endless}"]);
    process.stdout.write(String(child.pid));
    ${endless}`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  const [pid] = await once(child.stdout, "data");
  return { child, grandchildPid: Number(String(pid)) };
}

function readPid(file: string): number {
  const pid = Number(readFileSync(file, "utf8"));
  if (pid === 0) throw new Error(`${file} is empty`);
  return pid;
}

describe("the leak check", () => {
  test("is content with what goes away in time", async () => {
    const leaks = await leaksOf(
      () => {
        spawn(process.execPath, ["-e", "setTimeout(() => {}, 30)"]);
        setTimeout(() => {}, 30);
        return () => {};
      },
      { timeoutMs: 2_000 },
    );

    expect(leaks).toEqual([]);
  });

  test("finds a child and the child of the child", async () => {
    let pids: (number | undefined)[] = [];
    const leaks = await leaksOf(async () => {
      const { child, grandchildPid } = await startTwo();
      pids = [child.pid, grandchildPid];
      return () => {
        process.kill(grandchildPid, "SIGKILL");
        child.kill("SIGKILL");
        return once(child, "close");
      };
    });

    const found = leaks.filter(({ kind }) => kind === "process");
    expect(found).toEqual([
      { kind: "process", what: expect.stringMatching(`^${pids[0]} \\(parent ${process.pid}\\): .*setInterval`) },
      { kind: "process", what: expect.stringMatching(`^${pids[1]} \\(parent ${pids[0]}\\): .*setInterval`) },
    ]);
    expect(leaks).toContainEqual({ kind: "handle", what: expect.stringMatching(/^PROCESSWRAP at .*leak-check\.test/) });
  });

  test("finds a process whose parent is gone", async () => {
    let pid = 0;
    const leaks = await leaksOf(async () => {
      const { child, grandchildPid } = await startTwo();
      pid = grandchildPid;
      child.kill("SIGKILL");
      await once(child, "exit");
      child.stdout?.destroy();
      return () => process.kill(grandchildPid, "SIGKILL");
    });

    expect(leaks).toEqual([{ kind: "process", what: expect.stringMatching(`^${pid} \\(parent \\d+\\): `) }]);
  });

  test("finds the shell that a killed CLI leaves behind", async () => {
    const command = "echo $$ > pid; exec sleep 1000";
    await using model = await startScriptedModel([toolUse("Bash", { command })]);
    await using sandbox = await createSandbox({ model });
    const leaks = await leaksOf(async () => {
      const argv = ["--output-format=stream-json", "--verbose", "--input-format=stream-json", "--allowedTools=Bash"];
      const cli = spawn(findTestBinary(), argv, { ...sandbox.spawnOptions(), stdio: ["pipe", "ignore", "ignore"] });
      cli.stdin?.write(`${JSON.stringify({ type: "user", message: { role: "user", content: "hi" } })}\n`);
      const pid = await vi.waitFor(() => readPid(join(sandbox.cwd, "pid")), { timeout: 10_000 });
      cli.kill("SIGKILL");
      await once(cli, "exit");
      return () => process.kill(pid, "SIGKILL");
    });

    expect(leaks.map(({ what }) => what).join("\n")).toContain("sleep 1000");
    expect(leaks.filter(({ kind }) => kind !== "process")).toEqual([]);
  });

  test("finds timers, and says where they were made", async () => {
    const leaks = await leaksOf(() => {
      const timers = [setInterval(() => {}, 1_000), setTimeout(() => {}, 60_000).unref()];
      return () => {
        for (const timer of timers) clearTimeout(timer);
      };
    });

    expect(leaks).toEqual([
      { kind: "timer", what: expect.stringContaining(import.meta.filename) },
      { kind: "timer", what: expect.stringContaining(import.meta.filename) },
    ]);
  });

  test("finds a server, by its handle and by its descriptor", async () => {
    const leaks = await leaksOf(async () => {
      const server = createServer().listen(0);
      await once(server, "listening");
      return () => server.close();
    });

    expect(leaks).toEqual([
      { kind: "handle", what: expect.stringMatching(/^TCPSERVERWRAP at .*leak-check\.test/) },
      { kind: "descriptor", what: expect.stringMatching(/^\d+ \(socket:\[\d+\]\)$/) },
    ]);
  });

  test("finds listeners on process, on an emitter and on a signal", async () => {
    const emitter = new EventEmitter();
    const { signal } = new AbortController();
    const watch = [emitter, signal];
    const listener = (): void => {};
    emitter.on("data", () => {});
    const leaks = await leaksOf(
      () => {
        process.on("exit", listener);
        emitter.on("data", listener);
        signal.addEventListener("abort", listener);
        return () => {
          process.off("exit", listener);
          emitter.off("data", listener);
          signal.removeEventListener("abort", listener);
        };
      },
      { watch },
    );

    expect(leaks).toEqual([
      { kind: "listener", what: "exit on process" },
      { kind: "listener", what: "data on watched 0" },
      { kind: "listener", what: "abort on watched 1" },
    ]);
  });

  test("finds an open file", async () => {
    const leaks = await leaksOf(() => {
      const descriptor = openSync(import.meta.filename, "r");
      return () => closeSync(descriptor);
    });

    expect(leaks).toEqual([{ kind: "descriptor", what: expect.stringContaining(`(${import.meta.filename})`) }]);
  });

  test("finds a sandbox, and a new entry of a folder that it watches", async () => {
    const folder = mkdtempSync(join(tmpdir(), "watched-"));
    let root = "";
    const leaks = await leaksOf(
      async () => {
        const sandbox = await createSandbox();
        root = sandbox.root;
        mkdirSync(join(folder, "new"));
        return () => {
          rmSync(join(folder, "new"), { recursive: true });
          return sandbox.close();
        };
      },
      { folders: [folder] },
    );
    rmSync(folder, { recursive: true });

    expect(leaks).toEqual([
      { kind: "folder", what: root },
      { kind: "folder", what: join(folder, "new") },
    ]);
  });

  test("leaves the temporary folders of other processes alone", async () => {
    const leaks = await leaksOf(() => {
      const folder = mkdtempSync(join(tmpdir(), `reins-sandbox-${process.pid + 1}-`));
      return () => rmSync(folder, { recursive: true });
    });

    expect(leaks).toEqual([]);
  });

  test("fails at the end of its scope, and not a second time", async () => {
    const timers: NodeJS.Timeout[] = [];
    const leak = async (): Promise<void> => {
      await using _leaks = startLeakCheck({ timeoutMs: 0 });
      timers.push(setInterval(() => {}, 1_000));
    };
    await expect(leak()).rejects.toThrow("Left behind, 0 ms after the end:\n- timer: at ");

    const check = startLeakCheck({ timeoutMs: 0 });
    timers.push(setInterval(() => {}, 1_000));
    await expect(check.assertClean()).rejects.toThrow(LeakError);
    await expect(check[Symbol.asyncDispose]()).resolves.toBeUndefined();
    for (const timer of timers) clearInterval(timer);
  });
});
