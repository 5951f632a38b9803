import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { AlreadyConsumedError } from "@reins/streamjson";
import { type CliStep, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { type ProcessTransport, startClaude } from "../src/index.ts";
import { allFrames, isAlive, launchOf, scratchFolder, timed, until } from "./setup.ts";

const graces = { endGraceMs: 150, killGraceMs: 150 };
const hello: CliStep = { do: "write", frame: { type: "system" } };

/** A CLI that ignores all that one can ignore. */
const stubborn: CliStep[] = [{ do: "trap", signals: ["SIGTERM", "SIGINT", "SIGHUP"] }, hello, { do: "hang" }];

describe("each way to leave ends the process before it settles", () => {
  const ways: Record<string, (claude: ProcessTransport) => Promise<void>> = {
    close: async (claude) => {
      await claude.frames[Symbol.asyncIterator]().next();
      await claude.close();
    },
    break: async (claude) => {
      for await (const _ of claude.frames) break;
    },
    throw: async (claude) => {
      const failing = async (): Promise<void> => {
        for await (const _ of claude.frames) throw new Error("of the consumer");
      };
      await expect(failing()).rejects.toThrow("of the consumer");
    },
    "await using": async (claude) => {
      await using disposed = claude;
      await disposed.frames[Symbol.asyncIterator]().next();
    },
    return: async (claude) => {
      const iterator = claude.frames[Symbol.asyncIterator]();
      await iterator.next();
      // While the next batch is waited for, too.
      const waiting = iterator.next();
      await iterator.return?.();
      expect(await waiting).toEqual({ done: true, value: undefined });
    },
  };

  for (const [name, leave] of Object.entries(ways)) {
    test(`${name}, with a CLI that ends with its input`, async () => {
      await using _leaks = startLeakCheck();
      await using cli = await scriptedCliExecutable({ steps: [hello, { do: "readEnd" }, { do: "exit", code: 0 }] });
      // Far more than a busy machine takes, so that it is the end of the input alone that ends it.
      const claude = startClaude(launchOf(cli.path), { endGraceMs: 20_000 });
      expect(await timed(leave(claude))).toBeLessThan(15_000);
      expect(isAlive(claude.pid ?? 0)).toBe(false);
      expect(await claude.closed).toEqual({ code: 0, signal: null, stderrTail: "" });
    });

    test(`${name}, with a CLI that ignores the end of its input and SIGTERM`, async () => {
      await using _leaks = startLeakCheck();
      await using cli = await scriptedCliExecutable({ steps: stubborn });
      const claude = startClaude(launchOf(cli.path), graces);
      await leave(claude);
      expect(isAlive(claude.pid ?? 0)).toBe(false);
      const { events, inputEnded } = await cli.log();
      expect(inputEnded).toBe(true);
      expect(events.flatMap((event) => (event.kind === "signal" ? [event.signal] : []))).toEqual(["SIGTERM"]);
      expect(await claude.closed).toEqual({ code: null, signal: "SIGKILL", stderrTail: "" });
    });
  }
});

test("SIGTERM comes after the first grace, SIGKILL after the second", async () => {
  await using cli = await scriptedCliExecutable({ steps: stubborn });
  const claude = startClaude(launchOf(cli.path), { endGraceMs: 300, killGraceMs: 600 });
  await claude.frames[Symbol.asyncIterator]().next();
  const took = await timed(claude.close());
  const { events } = await cli.log();
  const at = (kind: string): number => events.find((event) => event.kind === kind)?.atMs ?? Number.NaN;
  expect(at("signal") - at("input-end")).toBeGreaterThan(250);
  expect(took).toBeGreaterThan(890);
  expect(took).toBeLessThan(10_000);
});

test("a CLI that ends on SIGTERM is not killed, and its exit code is no failure", async () => {
  await using cli = await scriptedCliExecutable({
    steps: [{ do: "trap", signals: ["SIGTERM"], exitCode: 143 }, hello, { do: "hang" }],
  });
  const claude = startClaude(launchOf(cli.path), { endGraceMs: 50 });
  await claude.frames[Symbol.asyncIterator]().next();
  await claude.close();
  expect(await claude.closed).toEqual({ code: 143, signal: null, stderrTail: "" });
});

test("close may be called at any time, any number of times, and gives the same end", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: stubborn });
  const claude = startClaude(launchOf(cli.path), graces);
  await Promise.all([claude.close(), claude.close(), claude[Symbol.asyncDispose]()]);
  await claude.close();
  expect(await allFrames(claude)).toEqual([]);
  await expect(claude.send({ type: "user" })).rejects.toThrow("the input was ended");
});

test("close after an exit of its own keeps the failure", async () => {
  await using cli = await scriptedCliExecutable({ steps: [{ do: "exit", code: 4 }] });
  const claude = startClaude(launchOf(cli.path));
  await claude.closed;
  await claude.close();
  expect((await claude.closed).error).toMatchObject({ exitCode: 4 });
});

test("a CLI that is blocked by its full output can write it and end", async () => {
  await using _leaks = startLeakCheck();
  const big = { $repeat: { text: "x", count: 1_000_000 } };
  await using cli = await scriptedCliExecutable({
    steps: [{ do: "write", frame: { type: "system", big }, $times: 20 }, { do: "readEnd" }, { do: "exit", code: 0 }],
  });
  const claude = startClaude(launchOf(cli.path));
  await until("the CLI runs", async () => (await cli.logs()).length === 1);
  await claude.close();
  expect((await claude.closed).code).toBe(0);
});

test("frames have one consumer", async () => {
  await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }] });
  await using claude = startClaude(launchOf(cli.path));
  claude.frames[Symbol.asyncIterator]();
  expect(() => claude.frames[Symbol.asyncIterator]()).toThrow(AlreadyConsumedError);
});

test("a forced end takes the children of the CLI with it", async () => {
  await using _leaks = startLeakCheck();
  using folder = scratchFolder();
  // Ignores everything, and has a child and a grandchild that do the same, as an MCP server that hangs.
  const path = folder.write(
    "cli.mjs",
    `import { spawn } from "node:child_process";
     import { appendFileSync } from "node:fs";
     const depth = Number(process.env.DEPTH ?? 0);
     process.on("SIGTERM", () => {});
     setInterval(() => {}, 1000);
     appendFileSync("pids", process.pid + " ");
     if (depth === 2) console.log(JSON.stringify({ type: "ready" }));
     else spawn(process.execPath, [process.argv[1]], { env: { DEPTH: depth + 1 }, stdio: "inherit" });`,
  );
  const claude = startClaude(launchOf(path, { cwd: folder.path }), graces);
  await claude.frames[Symbol.asyncIterator]().next();
  const pids = readFileSync(`${folder.path}/pids`, "utf8").trim().split(" ").map(Number);
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  await claude.close();
  await until("they are gone", () => !pids.some(isAlive));
});

describe("the exit of the host", () => {
  /** A host of its own that starts a stubborn CLI and then ends in some way. Gives the pid of the CLI. */
  async function hostThat(ends: string): Promise<number> {
    using folder = scratchFolder();
    await using cli = await scriptedCliExecutable({ steps: stubborn });
    const host = folder.write(
      "host.mts",
      `import { buildLaunch, startClaude } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
       const launch = buildLaunch({ pathToClaudeCodeExecutable: ${JSON.stringify(cli.path)}, env: {} });
       const claude = startClaude(launch);
       await claude.frames[Symbol.asyncIterator]().next();
       process.stdout.write(String(claude.pid));
       ${ends}`,
    );
    const child = spawn(process.execPath, ["--import", "tsx", "-C", "@reins/source", host], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
    });
    await new Promise((resolve) => child.on("close", resolve));
    const pid = Number(output);
    expect(pid).toBeGreaterThan(0);
    await until("the CLI is gone", () => !isAlive(pid));
    return pid;
  }

  test("kills the CLI at process.exit()", async () => {
    await hostThat("process.exit(0);");
  });

  test("kills the CLI at an uncaught exception", async () => {
    await hostThat("setTimeout(() => { throw new Error('uncaught'); });");
  });

  test("kills the CLI at process.exit() in the middle of its end", async () => {
    await hostThat("void claude.close(); setTimeout(() => process.exit(0), 50);");
  });

  test("is watched by one listener, while there are children", async () => {
    const before = process.listenerCount("exit");
    await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }] });
    const all = [1, 2, 3].map(() => startClaude(launchOf(cli.path)));
    expect(process.listenerCount("exit")).toBe(before + 1);
    await all[0]?.close();
    expect(process.listenerCount("exit")).toBe(before + 1);
    await Promise.all(all.map((claude) => claude.close()));
    expect(process.listenerCount("exit")).toBe(before);
    const failing = startClaude(launchOf("/nowhere/claude"));
    await failing.closed;
    expect(process.listenerCount("exit")).toBe(before);
  });
});
