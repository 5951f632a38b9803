import { readFile } from "node:fs/promises";
import { type Frame, FrameEncodeError, FrameWriteError, type TransportExit } from "@reins/streamjson";
import { type CliScript, type CliStep, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { ProcessError, type StartOptions, startClaude } from "../src/index.ts";
import { allFrames, isAlive, launchOf, scratchFolder, timed, until } from "./setup.ts";

interface Run {
  readonly frames: readonly Frame[];
  readonly exit: TransportExit;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
}

/** Runs a script to its end and tells what came of it. */
async function run(steps: readonly CliStep[], options: StartOptions = {}): Promise<Run> {
  await using _leaks = startLeakCheck();
  const script: CliScript = { steps };
  await using cli = await scriptedCliExecutable(script);
  await using claude = startClaude(launchOf(cli.path), options);
  const frames = await allFrames(claude);
  return { frames, exit: await claude.closed, exitCode: claude.exitCode, signalCode: claude.signalCode };
}

describe("the end of the process", () => {
  test("is no failure with exit code 0", async () => {
    const { frames, exit } = await run([
      { do: "write", frame: { type: "result" } },
      { do: "exit", code: 0 },
    ]);
    expect(frames.map(({ type }) => type)).toEqual(["result"]);
    expect(exit).toEqual({ code: 0, signal: null, stderrTail: "" });
  });

  test("is a ProcessError with another exit code, with what was said on standard error", async () => {
    const { frames, exit, exitCode } = await run([
      { do: "stderr", text: "error: required option '--nope' not specified\n" },
      { do: "exit", code: 1 },
    ]);
    expect(frames).toEqual([]);
    expect(exitCode).toBe(1);
    expect(exit.error).toBeInstanceOf(ProcessError);
    expect(exit.error).toMatchObject({
      step: "start",
      exitCode: 1,
      signal: null,
      stderrTail: "error: required option '--nope' not specified\n",
    });
    expect(exit.error?.message).toBe(
      "Claude Code process exited with code 1. stderr: error: required option '--nope' not specified",
    );
  });

  test("is a ProcessError after a signal, and the half line before it is a frame that says so", async () => {
    const { frames, exit, signalCode } = await run([
      { do: "write", frame: { type: "system" } },
      { do: "text", text: '{"type":"assis' },
      { do: "exit", signal: "SIGKILL" },
    ]);
    expect(frames.map(({ text }) => text)).toEqual(['{"type":"system"}', '{"type":"assis']);
    expect(frames[1]?.error).toMatchObject({ name: "MalformedFrameError", truncated: true });
    expect(signalCode).toBe("SIGKILL");
    expect(exit).toMatchObject({ code: null, signal: "SIGKILL", error: { exitCode: null, signal: "SIGKILL" } });
    expect(exit.error?.message).toMatch(/^Claude Code process terminated by signal SIGKILL/);
  });

  test("names the signal that the CLI caught and turned into an exit code", async () => {
    const { exit } = await run([{ do: "exit", code: 143 }]);
    expect(exit).toMatchObject({ code: 143, signal: null, error: { exitCode: 143, signal: "SIGTERM" } });
    expect(exit.error?.message).toContain("exited with code 143 (SIGTERM)");
    const hangup = await run([{ do: "exit", code: 129 }]);
    expect(hangup.exit.error).toMatchObject({ exitCode: 129, signal: "SIGHUP" });
  });

  test("leaves everything that was written before it to be read later", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({
      steps: [{ do: "write", frame: { type: "system", text: "x".repeat(20_000) }, $times: 5 }, { do: "exit" }],
    });
    await using claude = startClaude(launchOf(cli.path));
    await claude.closed;
    expect(await allFrames(claude)).toHaveLength(5);
  });

  test("loses nothing when the host is blocked right after it", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({
      steps: [{ do: "write", frame: { type: "system", text: "x".repeat(30_000) }, $times: 6 }, { do: "exit" }],
    });
    await using claude = startClaude(launchOf(cli.path));
    const iterator = claude.frames[Symbol.asyncIterator]();
    let count = (await iterator.next()).value?.length ?? 0;
    // Most of it is still in the pipe.
    while (claude.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
    // Longer than a silent pipe is waited for after the exit.
    const end = performance.now() + 300;
    while (performance.now() < end);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) count += next.value.length;
    expect(count).toBe(6);
  });

  test("is the end of the frames also when a grandchild keeps the pipes", async () => {
    const took = timed(
      run([
        { do: "write", frame: { type: "result" } },
        { do: "orphan", ms: 4000 },
        { do: "exit", code: 3 },
      ]).then(({ frames, exit }) => {
        expect(frames).toHaveLength(1);
        expect(exit.error).toMatchObject({ exitCode: 3 });
      }),
    );
    // The leak check waits for the grandchild, which ends when its folder is removed.
    expect(await took).toBeLessThan(3500);
  });
});

describe("what is no frame", () => {
  test("is delivered as a frame with an error, and those around it arrive", async () => {
    const { frames, exit } = await run([
      { do: "text", text: "Welcome!\n" },
      { do: "write", frame: { type: "system" } },
      { do: "text", text: "null\n[1]\n" },
      { do: "write", frame: { type: "result" } },
      { do: "exit" },
    ]);
    expect(frames.map(({ error, text }) => error?.name ?? text)).toEqual([
      "MalformedFrameError",
      '{"type":"system"}',
      "MalformedFrameError",
      "MalformedFrameError",
      '{"type":"result"}',
    ]);
    expect(exit.error).toBeUndefined();
  });

  test("is a line over the limit, too", async () => {
    const steps: CliStep[] = [{ do: "write", frame: { type: "system", text: "x".repeat(5000) } }, { do: "exit" }];
    const { frames } = await run(steps, { maxLineBytes: 1000 });
    expect(frames[0]?.error).toMatchObject({ name: "FrameTooLargeError", limitBytes: 1000 });
  });
});

describe("standard error", () => {
  test("of 100 MB holds nothing up, and its end is kept", async () => {
    const before = process.memoryUsage().rss;
    const took = performance.now();
    const { frames, exit } = await run([
      { do: "stderr", text: { $repeat: { text: "noise line\n", count: 100_000 } }, $times: 91 },
      { do: "stderr", text: "the last word" },
      { do: "write", frame: { type: "result" } },
      { do: "exit", code: 1 },
    ]);
    expect(frames).toHaveLength(1);
    expect(exit.stderrTail.length).toBe("[earlier output was cut]\n".length + 16_384);
    expect(exit.stderrTail.endsWith("noise line\nthe last word")).toBe(true);
    expect(performance.now() - took).toBeLessThan(10_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
  });

  test("goes to the callback, which may fail", async () => {
    let seen = "";
    const { exit } = await run([{ do: "stderr", text: "wärning\n" }, { do: "exit" }], {
      stderr: (text) => {
        seen += text;
        throw new Error("a log that fails");
      },
    });
    expect(seen).toBe("wärning\n");
    expect(exit.error).toBeUndefined();
  });
});

test("standard error comes in lines, too", async () => {
  const lines: string[] = [];
  await run([{ do: "stderr", text: "one\r\ntw" }, { do: "stderr", text: "o\n\nthree" }, { do: "exit" }], {
    onStderrLine: (line) => {
      lines.push(line);
      throw new Error("a log that fails");
    },
  });
  expect(lines).toEqual(["one", "two", "three"]);
});

describe("sending", () => {
  test("writes whole frames in order, and ends with the input", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }, { do: "exit" }] });
    await using claude = startClaude(launchOf(cli.path));
    const big = "x".repeat(300_000);
    await Promise.all([1, 2, 3].map((n) => claude.send({ type: "user", n, big })));
    await claude.endInput();
    await expect(claude.send({ type: "user" })).rejects.toThrow("the input was ended");
    await claude.closed;
    expect((await cli.log()).frames.map((frame) => frame["n"])).toEqual([1, 2, 3]);
  });

  test("refuses what is no frame, and goes on", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }, { do: "exit" }] });
    await using claude = startClaude(launchOf(cli.path));
    await expect(claude.send({ type: "user", n: Number.NaN })).rejects.toBeInstanceOf(FrameEncodeError);
    await claude.send({ type: "user" });
    await claude.endInput();
    await claude.closed;
    expect((await cli.log()).frames).toEqual([{ type: "user" }]);
  });

  test("waits for a process that does not read, and rejects when that is closed", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "pauseInput" }, { do: "hang" }] });
    await using claude = startClaude(launchOf(cli.path), { endGraceMs: 50, killGraceMs: 50 });
    let isSent = false;
    const sent = claude.send({ type: "user", text: "x".repeat(5_000_000) }).then(
      () => {
        isSent = true;
      },
      (error: unknown) => error,
    );
    await until("the CLI runs", async () => (await cli.logs()).length === 1);
    expect(isSent).toBe(false);
    await claude.close();
    expect(await sent).toBeInstanceOf(FrameWriteError);
  });

  test("to a process that is gone rejects with its exit as the cause", async () => {
    await using cli = await scriptedCliExecutable({ steps: [{ do: "exit", code: 3 }] });
    await using claude = startClaude(launchOf(cli.path));
    const { error } = await claude.closed;
    const failure = await claude.send({ type: "user" }).catch((failure: unknown) => failure);
    expect(failure).toMatchObject({ name: "FrameWriteError", cause: error });
    expect(String(failure)).toContain("terminated process (exit code 3)");
  });
});

test("a process of which only the frames are read leaves nothing, and none of them is lost", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [{ do: "write", frame: { type: "stream_event", text: "x".repeat(1000) }, $times: 20_000 }, { do: "exit" }],
  });
  const claude = startClaude(launchOf(cli.path));
  let count = 0;
  for await (const batch of claude.frames) {
    count += batch.length;
    // A slow consumer: the process waits for it, and may have ended long before the last frame is taken.
    if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(count).toBe(20_000);
});

test("a slow consumer holds the process back instead of filling memory", async () => {
  using folder = scratchFolder();
  // Writes as fast as it is read, and says how far it got.
  const path = folder.write(
    "cli.mjs",
    `import { writeFileSync } from "node:fs";
     const line = JSON.stringify({ type: "stream_event", text: "x".repeat(10_000) }) + "\\n";
     let written = 0;
     const write = () => {
       while (process.stdout.write(line)) written++;
       writeFileSync("written", String(written++));
     };
     process.stdout.on("drain", write);
     write();
     process.stdin.resume();`,
  );
  await using claude = startClaude(launchOf(path, { cwd: folder.path }), { endGraceMs: 50 });
  const written = async (): Promise<number> => {
    return Number(await readFile(`${folder.path}/written`, "utf8").catch(() => "0"));
  };
  const iterator = claude.frames[Symbol.asyncIterator]();
  await iterator.next();
  await until("it has written something", async () => (await written()) > 0);
  let before = -1;
  await until("it stops writing", async () => {
    const now = await written();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const stopped = now === before;
    before = now;
    return stopped;
  });
  // What fits into the pipe and the buffers of both sides is far below.
  expect(await written()).toBeLessThan(300);
  expect(isAlive(claude.pid ?? 0)).toBe(true);
});
