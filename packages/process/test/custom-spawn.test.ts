import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { type SpawnOptions, startClaude } from "../src/index.ts";
import { allFrames, launchOf } from "./setup.ts";

/** A process that is none: what an adapter to a container or another machine hands out. */
class RemoteProcess extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly signals: string[] = [];
  killed = false;
  exitCode: number | null = null;
  signalCode: string | null = null;

  kill(signal: string): boolean {
    this.signals.push(signal);
    this.killed = true;
    if (signal === "SIGKILL") this.exit(null, "SIGKILL");
    return true;
  }

  exit(code: number | null, signal: string | null): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.emit("exit", code, signal);
  }
}

test("a spawner is asked for exactly what would be started here, and its ChildProcess is used as it is", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [
      { do: "read", match: { type: "user" } },
      { do: "write", frame: { type: "result" } },
      { do: "stderr", text: "bye" },
      { do: "exit", code: 2 },
    ],
  });
  const launch = launchOf(cli.path, { cwd: import.meta.dirname });
  const asked: SpawnOptions[] = [];
  await using claude = startClaude(launch, {
    spawnClaudeCodeProcess: (options) => {
      asked.push(options);
      return spawn(options.command, options.args, { cwd: options.cwd, env: options.env });
    },
  });
  await claude.send({ type: "user" });
  expect((await allFrames(claude)).map(({ type }) => type)).toEqual(["result"]);
  const { command, args, cwd, env } = launch;
  expect(asked).toEqual([{ command, args, cwd, env, signal: expect.any(AbortSignal) }]);
  expect((await claude.closed).error).toMatchObject({ name: "ProcessError", exitCode: 2, stderrTail: "bye" });
});

test("a process that is elsewhere works with what the contract says, and no more", async () => {
  const remote = new RemoteProcess();
  const claude = startClaude(launchOf("/opt/claude"), { spawnClaudeCodeProcess: () => remote });
  await claude.send({ type: "user", text: "hi" });
  expect(String(remote.stdin.read())).toBe('{"type":"user","text":"hi"}\n');
  remote.stdout.write('{"type":"result"}\n');
  remote.exit(0, null);
  // Its last output may come after its exit.
  remote.stdout.end('{"type":"late"}\n');
  expect((await allFrames(claude)).map(({ type }) => type)).toEqual(["result", "late"]);
  expect(await claude.closed).toEqual({ code: 0, signal: null, stderrTail: "" });
  expect(claude.pid).toBeUndefined();
});

test("a process that has ended before anybody listened is seen to have ended", async () => {
  const remote = new RemoteProcess();
  remote.exitCode = 5;
  remote.stdout.end();
  const claude = startClaude(launchOf("/opt/claude"), { spawnClaudeCodeProcess: () => remote });
  expect((await claude.closed).error).toMatchObject({ exitCode: 5 });
});

test("an abort reaches the spawner after the graceful part, a close does not", async () => {
  const run = async (end: "abort" | "close"): Promise<string[]> => {
    const remote = new RemoteProcess();
    const controller = new AbortController();
    const told: string[] = [];
    const claude = startClaude(launchOf("/opt/claude"), {
      signal: controller.signal,
      endGraceMs: 50,
      killGraceMs: 50,
      spawnClaudeCodeProcess: ({ signal }) => {
        signal.addEventListener("abort", () => told.push(...remote.signals, "abort"));
        return remote;
      },
    });
    if (end === "abort") controller.abort();
    else void claude.close();
    await claude.closed;
    expect(remote.signals).toEqual(["SIGTERM", "SIGKILL"]);
    return told;
  };
  expect(await run("abort")).toEqual(["SIGTERM", "abort"]);
  expect(await run("close")).toEqual([]);
});

test("a SIGTERM that cannot be sent does not keep SIGKILL from being sent", async () => {
  const remote = new RemoteProcess();
  const kill = remote.kill.bind(remote);
  remote.kill = (signal) => {
    if (signal === "SIGTERM") throw new Error("connection lost");
    return kill(signal);
  };
  const claude = startClaude(launchOf("/opt/claude"), {
    endGraceMs: 20,
    killGraceMs: 20,
    spawnClaudeCodeProcess: () => remote,
  });
  await claude.close();
  expect(remote.signals).toEqual(["SIGKILL"]);
});

test("what a spawner throws is the error of the end, unchanged", async () => {
  const error = new TypeError("no container");
  const claude = startClaude(launchOf("/opt/claude"), {
    spawnClaudeCodeProcess: () => {
      throw error;
    },
  });
  expect((await claude.closed).error).toBe(error);
  expect(await allFrames(claude)).toEqual([]);
});

test("a process that reports an error in place of a start has failed to start", async () => {
  await using _leaks = startLeakCheck();
  const remote = new RemoteProcess();
  const claude = startClaude(launchOf("/opt/claude"), { spawnClaudeCodeProcess: () => remote });
  const sent = claude.send({ type: "user", text: "x".repeat(1_000_000) }).catch((failure: unknown) => failure);
  const cause = new Error("connect ECONNREFUSED");
  remote.emit("error", cause);
  const { error } = await claude.closed;
  expect(error).toMatchObject({ name: "LaunchError", reason: "other", cause });
  expect(error?.message).toBe("Failed to spawn Claude Code process: connect ECONNREFUSED.");
  expect(await allFrames(claude)).toEqual([]);
  expect(await sent).toMatchObject({ name: "FrameWriteError" });
});
