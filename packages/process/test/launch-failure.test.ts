import { execFileSync } from "node:child_process";
import { AbortError, FrameWriteError, type TransportExit } from "@reins/streamjson";
import { startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { CliNotFoundError, type Launch, LaunchError, startClaude } from "../src/index.ts";
import { allFrames, launchOf, scratchFolder } from "./setup.ts";

/** Starts what cannot be started, and checks that everything says so at once and nothing is left. */
async function failureOf(launch: Launch): Promise<Error> {
  await using _leaks = startLeakCheck();
  const claude = startClaude(launch);
  expect(claude.pid).toBeUndefined();
  const sent = claude.send({ type: "user" }).catch((error: unknown) => error);
  const exit = await claude.closed;
  expect(await allFrames(claude)).toEqual([]);
  // Sent in the moment of the start it meets a broken pipe, later a process that is gone; the reason is the same.
  expect(await sent).toBeInstanceOf(FrameWriteError);
  expect(await sent).toHaveProperty("cause", exit.error);
  await expect(claude.send({ type: "user" })).rejects.toBeInstanceOf(FrameWriteError);
  await claude.endInput();
  await claude.close();
  expect(await claude.exited).toBe(exit);
  expect({ code: exit.code, signal: exit.signal, tail: exit.stderrTail }).toEqual({
    code: null,
    signal: null,
    tail: "",
  });
  expect(claude.exitCode).toBeNull();
  return exit.error ?? new Error("no error");
}

const script = "process.stdin.resume();";

describe("a start that fails says what is wrong, with the error of the system as its cause", () => {
  test("a working directory that does not exist", async () => {
    const error = await failureOf(launchOf(process.execPath, { cwd: "/nowhere/at-all" }));
    expect(error).toBeInstanceOf(LaunchError);
    expect(error).toMatchObject({ reason: "cwd-missing", path: "/nowhere/at-all", cause: { code: "ENOENT" } });
    expect(error.message).toMatch(/^The working directory .* does not exist/);
  });

  test("a working directory that is a file", async () => {
    const error = await failureOf(launchOf(process.execPath, { cwd: process.execPath }));
    expect(error).toMatchObject({ reason: "cwd-not-a-directory", cause: { code: "ENOTDIR" } });
  });

  test("a path where nothing is", async () => {
    for (const path of ["/nowhere/claude", `${process.execPath}/claude`]) {
      const error = await failureOf(launchOf(path));
      expect(error).toBeInstanceOf(CliNotFoundError);
      expect(error).toMatchObject({ tried: [{ place: path, outcome: "missing" }] });
      expect(error.message).toContain("pathToClaudeCodeExecutable");
      expect(error.cause).toHaveProperty("code");
    }
  });

  test("a script where nothing is, which its interpreter would report as an exit", async () => {
    const error = await failureOf(launchOf("/nowhere/cli.js"));
    expect(error).toMatchObject({ name: "CliNotFoundError", tried: [{ place: "/nowhere/cli.js" }] });
  });

  test("a bare name that is not on PATH", async () => {
    const error = await failureOf(launchOf("claude-that-is-not-there"));
    expect(error).toMatchObject({ tried: [{ place: "claude-that-is-not-there on PATH of the child" }] });
  });

  test("a file that may not be run", async () => {
    using folder = scratchFolder();
    const path = folder.write("claude", "#!/bin/sh\n", 0o644);
    expect(await failureOf(launchOf(path))).toMatchObject({
      reason: "not-executable",
      path,
      cause: { code: "EACCES" },
    });
  });

  test("a folder", async () => {
    using folder = scratchFolder();
    const error = await failureOf(launchOf(folder.path));
    expect(error).toMatchObject({ reason: "not-executable", path: folder.path });
    expect(error.message).toContain("is a directory");
  });

  test("the interpreter of a script that is not on the PATH of the child", async () => {
    using folder = scratchFolder();
    const path = folder.write("cli.mjs", script);
    const error = await failureOf(launchOf(path, { executable: "deno", env: {} }));
    expect(error).toMatchObject({ reason: "interpreter-missing", path: "deno", cause: { code: "ENOENT" } });
    expect(error.message).toContain(path);
  });

  test("the interpreter in the first line of a script", async () => {
    using folder = scratchFolder();
    const path = folder.write("claude", "#!/nowhere/node\n");
    const error = await failureOf(launchOf(path, { env: {} }));
    expect(error).toMatchObject({ reason: "interpreter-missing", path: "/nowhere/node", cause: { code: "ENOENT" } });
  });

  test("a binary whose loader is not there, as a musl build on a glibc system", async () => {
    using folder = scratchFolder();
    const path = folder.write("claude", elf({ loader: "/lib/ld-musl-nowhere.so.1" }));
    const error = await failureOf(launchOf(path));
    expect(error).toMatchObject({ reason: "wrong-libc", path, cause: { code: "ENOENT" } });
    expect(error.message).toContain("built for musl");
  });

  test("more arguments than the system takes, although each fits", async () => {
    const plugins = Array.from({ length: 80 }, () => ({ type: "local", path: "p".repeat(130_000) }) as const);
    const error = await failureOf(launchOf(process.execPath, { plugins, pluginDelivery: "argv" }));
    expect(error).toMatchObject({ reason: "arguments-too-long", cause: { code: "E2BIG" } });
    expect(error.message).toContain("The longest is --plugin-dir with 130013 bytes");
  });

  test("a signal that is already aborted: no process is started", async () => {
    await using _leaks = startLeakCheck();
    using folder = scratchFolder();
    const path = folder.write("cli.mjs", `import { writeFileSync } from "node:fs"; writeFileSync("started", "");`);
    const reason = new Error("not any more");
    const claude = startClaude(launchOf(path, { cwd: folder.path }), { signal: AbortSignal.abort(reason) });
    const { error } = await claude.closed;
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ name: "AbortError", cause: reason });
    expect(claude.pid).toBeUndefined();
    expect(await allFrames(claude)).toEqual([]);
  });
});

test("a host without descriptors is told so, and goes on", async () => {
  using folder = scratchFolder();
  const host = folder.write(
    "host.mts",
    `import { openSync } from "node:fs";
     import { startClaude } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
     // What the first start needs is loaded before there is nothing left to load it with.
     const launch = { command: process.execPath, cliPath: process.execPath, args: ["-v"], cwd: undefined, env: {}, initialize: {} };
     await startClaude(launch).closed;
     try {
       for (;;) openSync("/dev/null", "r");
     } catch {}
     const { error } = await startClaude(launch).closed;
     process.stdout.write([error.name, error.reason, error.cause.code].join(" "));
     process.exit();`,
  );
  const run = ["-c", 'ulimit -n 100; exec "$0" --import tsx -C @reins/source "$1"', process.execPath, host];
  expect(execFileSync("/bin/sh", run, { encoding: "utf8" })).toBe("LaunchError other EMFILE");
});

describe("a failed start that looks like an exit", () => {
  async function failedExit(launch: Launch): Promise<TransportExit> {
    await using _leaks = startLeakCheck();
    await using claude = startClaude(launch);
    return await claude.closed;
  }

  test("is told from one when env does not find the interpreter", async () => {
    using folder = scratchFolder();
    const path = folder.write("claude", "#!/usr/bin/env node-that-is-not-there\n");
    const { error, code } = await failedExit(launchOf(path, { env: {} }));
    expect(code).toBe(127);
    expect(error).toMatchObject({
      reason: "interpreter-missing",
      path: "node-that-is-not-there",
      cause: { exitCode: 127 },
    });
  });

  test("is told from one when the binary is for another processor", async () => {
    using folder = scratchFolder();
    const other = process.arch === "arm64" ? 62 : 183;
    const path = folder.write("claude", elf({ machine: other }));
    const { error } = await failedExit(launchOf(path));
    expect(error).toMatchObject({ reason: "wrong-architecture", path, cause: { name: "ProcessError" } });
  });

  test("is not made of an exit with code 127 of a script that did start", async () => {
    using folder = scratchFolder();
    const path = folder.write("claude", "#!/usr/bin/env sh\nsh-command-that-is-not-there\n");
    const { error } = await failedExit(launchOf(path));
    expect(error).toMatchObject({ name: "ProcessError", exitCode: 127 });
  });
});

/** A binary that has a head and nothing else. */
function elf({ loader = "", machine = process.arch === "arm64" ? 183 : 62 }): Uint8Array {
  const file = new Uint8Array(64 + 56 + loader.length + 1);
  const view = new DataView(file.buffer);
  // Magic, 64 bit, little endian, version.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true);
  view.setUint16(18, machine, true);
  view.setUint32(20, 1, true);
  view.setBigUint64(32, 64n, true);
  view.setUint16(52, 64, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, loader === "" ? 0 : 1, true);
  // One program header: PT_INTERP, behind it the name of the loader.
  view.setUint32(64, 3, true);
  view.setBigUint64(72, 120n, true);
  view.setBigUint64(96, BigInt(loader.length + 1), true);
  file.set(new TextEncoder().encode(loader), 120);
  return file;
}
