import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Transport } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { scriptedCliExecutable } from "../src/scripted-cli/executable.ts";
import { CliScriptError } from "../src/scripted-cli/parse-script.ts";
import type { CliScript, CliStep } from "../src/scripted-cli/script.ts";
import { spawnTransport } from "./scripted-cli-host.ts";

const ready: CliStep = { do: "write", frame: { type: "ready" } };

/** Whether a process lives; one that nobody has reaped does not. */
async function isAlive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return state !== "" && !/\) Z /.test(state);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited 10 s in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("a scripted CLI as an executable", () => {
  test("runs without PATH and logs argv, environment, folder and input", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "read", match: { type: "user" } }] });
    const { child, transport } = spawnTransport(cli.path, ["--model", "a b", ""], { ONLY: "this" });
    await transport.send({ type: "user", text: "ü\u2028" });

    expect(await transport.closed).toMatchObject({ code: 0, signal: null, stderrTail: "" });
    const log = await cli.log();
    expect(log).toMatchObject({
      pid: child.pid,
      argv: ["--model", "a b", ""],
      cwd: await realpath(process.cwd()),
      frames: [{ type: "user", text: "ü\u2028" }],
      exit: { code: 0, signal: null },
    });
    expect(log.env).toMatchObject({ ONLY: "this" });
    expect(log.env).not.toHaveProperty("PATH");
    expect(log.env).not.toHaveProperty("HOME");
  });

  test("runs as a module through an interpreter", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "exit", code: 3 }] });
    const { transport } = spawnTransport(process.execPath, [cli.scriptPath, "--flag"]);

    expect((await transport.closed).code).toBe(3);
    expect((await cli.log()).argv).toEqual(["--flag"]);
  });

  test("logs every process of its own, in the order of their starts", async () => {
    await using cli = await scriptedCliExecutable({ steps: [ready, { do: "readEnd" }] });
    const children: Transport[] = [];
    for (const name of ["a", "b", "c"]) {
      const { transport } = spawnTransport(cli.path, [name]);
      children.push(transport);
      await transport.frames[Symbol.asyncIterator]().next();
    }
    for (const transport of children) await transport.endInput();
    await Promise.all(children.map((transport) => transport.closed));

    expect((await cli.logs()).map((log) => [log.argv[0], log.exit?.code])).toEqual([
      ["a", 0],
      ["b", 0],
      ["c", 0],
    ]);
    expect((await cli.log()).argv).toEqual(["c"]);
  });

  test("has no log before it was started", async () => {
    await using cli = await scriptedCliExecutable({ steps: [] });

    expect(await cli.logs()).toEqual([]);
    await expect(cli.log()).rejects.toThrow("not started yet");
  });

  test("reads lines that were cut anywhere, and a last one without a newline", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }] });
    const child = spawn(cli.path, { stdio: ["pipe", "ignore", "ignore"] });
    for (const byte of new TextEncoder().encode('{"t":"ä"}\r\n\n[1]\n{"last":1}'))
      child.stdin.write(Uint8Array.of(byte));
    child.stdin.end();
    await once(child, "exit");

    const log = await cli.log();
    expect(log.events.flatMap((event) => (event.kind === "input" ? [event.line] : []))).toEqual([
      '{"t":"ä"}\r',
      "",
      "[1]",
      '{"last":1}',
    ]);
    expect(log.frames).toEqual([{ t: "ä" }, { last: 1 }]);
    expect(log.exit?.code).toBe(0);
  });

  test("dies of a line that is no JSON, as the CLI does", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "hang" }] });
    const child = spawn(cli.path, { stdio: ["pipe", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
    });
    child.stdin.write("not json\n");

    expect(await once(child, "close")).toEqual([1, null]);
    expect(stderr).toBe("Error parsing streaming input line (type=unknown, 8 chars): SyntaxError\n");
  });

  test("ignores the end of its input and SIGTERM, and can still be killed", async () => {
    await using cli = await scriptedCliExecutable({
      steps: [{ do: "trap", signals: ["SIGTERM", "SIGINT"] }, ready, { do: "hang" }],
    });
    const { child, transport } = spawnTransport(cli.path);
    await transport.frames[Symbol.asyncIterator]().next();
    await transport.endInput();
    child.kill("SIGTERM");
    await until("SIGTERM and the end of the input in the log", async () => {
      const kinds = (await cli.log()).events.map((event) => event.kind);
      return kinds.includes("signal") && kinds.includes("input-end");
    });
    expect(child.exitCode).toBeNull();

    child.kill("SIGKILL");

    expect(await transport.closed).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(await cli.log()).toMatchObject({ inputEnded: true, exit: undefined });
    expect((await cli.log()).events).toContainEqual(expect.objectContaining({ kind: "signal", signal: "SIGTERM" }));
  });

  test("exits at a signal with the code of its trap, also while nobody reads its output", async () => {
    await using cli = await scriptedCliExecutable({
      steps: [
        { do: "trap", signals: ["SIGTERM"], exitCode: 143 },
        ready,
        { do: "write", frame: { a: 1 }, $times: 9_000_000 },
      ],
    });
    const child = spawn(cli.path, { stdio: ["pipe", "pipe", "ignore"] });
    await once(child.stdout, "readable");
    const exit = once(child, "exit");

    child.kill("SIGTERM");

    expect(await exit).toEqual([143, null]);
    child.stdout.destroy();
  });

  test("dies of a signal without a trap, and of the one in its script", async () => {
    await using hanging = await scriptedCliExecutable({ steps: [ready, { do: "hang" }] });
    await using dying = await scriptedCliExecutable({ steps: [{ do: "exit", signal: "SIGSEGV" }] });
    const hung = spawnTransport(hanging.path);
    await hung.transport.frames[Symbol.asyncIterator]().next();
    hung.child.kill("SIGTERM");

    expect(await hung.transport.closed).toMatchObject({ code: null, signal: "SIGTERM" });
    expect(await spawnTransport(dying.path).transport.closed).toMatchObject({ code: null, signal: "SIGSEGV" });
    expect((await dying.log()).exit).toEqual({ code: null, signal: "SIGSEGV" });
  });

  test("leaves a grandchild that holds its pipes", async () => {
    await using cli = await scriptedCliExecutable({
      steps: [
        { do: "orphan", ms: 700 },
        { do: "exit", code: 0 },
      ],
    });
    const { child, transport } = spawnTransport(cli.path);
    const startedAt = performance.now();
    let exitedAfterMs = 0;
    child.once("exit", () => {
      exitedAfterMs = performance.now() - startedAt;
    });

    for await (const _ of transport.frames);
    const endedAfterMs = performance.now() - startedAt;

    expect(exitedAfterMs).toBeGreaterThan(0);
    expect(exitedAfterMs).toBeLessThan(endedAfterMs);
    expect(endedAfterMs).toBeGreaterThan(700);
  });

  test("closes its output with requests pending and lives on", async () => {
    await using cli = await scriptedCliExecutable({
      steps: [ready, { do: "endOutput" }, { do: "read", match: { type: "user" } }, { do: "exit", code: 5 }],
    });
    const { child, transport } = spawnTransport(cli.path);
    let frames = 0;
    for await (const batch of transport.frames) frames += batch.length;
    expect(child.exitCode).toBeNull();

    await transport.send({ type: "user" });

    expect((await transport.closed).code).toBe(5);
    expect(frames).toBe(1);
  });

  test("goes on with its script when the host has closed its output", async () => {
    await using cli = await scriptedCliExecutable({
      steps: [
        { do: "read", match: { type: "user" } },
        { do: "write", frame: { a: 1 }, $times: 100_000 },
        { do: "exit", code: 5 },
      ],
    });
    const { child, transport } = spawnTransport(cli.path);
    child.stdout?.destroy();
    await transport.send({ type: "user" });

    expect((await transport.closed).code).toBe(5);
    expect((await cli.log()).events.map((event) => event.kind)).toContain("output-closed");
  });

  test("does not read while its input is paused", async () => {
    await using cli = await scriptedCliExecutable({
      steps: [{ do: "pauseInput" }, ready, { do: "wait", ms: 200 }, { do: "read", match: { type: "user" } }],
    });
    const { transport } = spawnTransport(cli.path);
    await transport.frames[Symbol.asyncIterator]().next();

    // More than the pipe and the buffers of both ends take.
    await transport.send({ type: "user", text: "x".repeat(4_000_000) });
    await transport.closed;

    const order = (await cli.log()).events.map((event) => (event.kind === "step" ? event.do : event.kind));
    expect(order).toEqual(["pauseInput", "write", "wait", "read", "input", "exit"]);
  });

  test("streams 200,000 frames", async () => {
    await using cli = await scriptedCliExecutable({
      steps: [{ do: "write", frame: { type: "stream_event", text: "x".repeat(300) }, $times: 200_000 }],
    });
    const { transport } = spawnTransport(cli.path);
    let frames = 0;
    for await (const batch of transport.frames) frames += batch.length;

    expect(frames).toBe(200_000);
    expect((await transport.closed).code).toBe(0);
  });

  test("ends its processes and grandchildren, and removes its folder, when it is closed", async () => {
    const cli = await scriptedCliExecutable({
      steps: [{ do: "trap", signals: ["SIGTERM"] }, { do: "orphan", ms: 600_000 }, ready, { do: "hang" }],
    });
    const { child, transport } = spawnTransport(cli.path);
    await transport.frames[Symbol.asyncIterator]().next();
    const pids = [
      child.pid,
      ...(await cli.log()).events.map((event) => (event.kind === "orphan" ? event.pid : undefined)),
    ].filter((pid) => pid !== undefined);
    expect(pids).toHaveLength(2);

    await Promise.all([cli.close(), cli.close()]);

    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
    expect(existsSync(dirname(cli.path))).toBe(false);
    expect((await transport.closed).code).toBe(1);
  });

  test("keeps its folder to this user", async () => {
    await using cli = await scriptedCliExecutable({ steps: [] });
    const folder = dirname(cli.path);

    expect(dirname(folder)).toBe(await realpath(tmpdir()));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test("is refused at the call when it is no script", async () => {
    // What a caller without types, or a JSON file, may hand over.
    const script = { steps: [{ do: "sing" }] } as unknown as CliScript;

    await expect(scriptedCliExecutable(script)).rejects.toThrow(CliScriptError);
  });
});
