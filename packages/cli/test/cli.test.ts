import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { startLeakCheck } from "@reins/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltCli, buildBareCli, buildCli } from "./built-cli.ts";

let cli: BuiltCli;
beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

test("the help and the version of reins itself load no parser, and are those of the parser", async () => {
  await using alone = await buildBareCli([]);
  for (const [option, long] of [
    ["--help", ["help"]],
    ["-h", ["help"]],
    ["--version", ["--version", "x"]],
    ["-V", ["--version", "x"]],
  ] as const) {
    const [ran, parsed] = await Promise.all([alone.run([option]), cli.run(long)]);
    expect({ option, ...ran }).toEqual({ option, ...parsed, code: 0, stderr: "" });
  }
});

test("help that cannot be written is a failure", async () => {
  const outcomes = ["--help", "help", "sessions --help"].map(async (args) => {
    const full = await open("/dev/full", "w");
    const child = spawn(process.execPath, [cli.main, ...args.split(" ")], { stdio: ["ignore", full.fd, "pipe"] });
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    await full.close();
    return { code, stderr };
  });
  for (const outcome of await Promise.all(outcomes)) {
    expect(outcome).toEqual({ code: 1, stderr: expect.stringMatching(/^reins: .*ENOSPC/) });
  }
});

test("help needs no sibling: it is there where none is installed", async () => {
  await using bare = await buildBareCli(["commander"]);
  const commandLines = [["help"], ["sessions", "--help"], ["query", "--help"], ["--version"], ["completion", "fish"]];
  const [main, sessions, query, version, completion] = await Promise.all(commandLines.map((args) => bare.run(args)));
  for (const ran of [main, sessions, query, version, completion]) expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(main?.stdout).toMatch(/Usage: reins .*Commands:\n {2}query .*Examples:\n.*Exit codes: /s);
  expect(sessions?.stdout).toMatch(/ls .*show .*copy .*redis:\/\//s);
  expect(query?.stdout).toMatch(/Examples:\n.*\$ git diff \| reins query/s);
  expect(version?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  // Where something is missing for the work itself, it says so.
  const { code, stderr } = await bare.run(["sessions", "ls"]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("@reins/") });
});

describe("wrong arguments", () => {
  test.for([
    [["sesions"], /^reins: unknown command 'sesions'\n\(Did you mean sessions\?\)\nNext: reins --help\n$/],
    [["a\u001b[31mb"], /^reins: unknown command 'a␛\[31mb'\n/],
    [["sessions", "show"], /^reins: missing required argument 'session'\nNext: reins sessions show --help\n$/],
    [["sessions", "ls", "--limit", "0"], /'0' is invalid.*Next: reins sessions ls --help\n$/s],
    [["sessions", "rename", "zzz", "x"], /^reins: "zzz" is no session id.*\nNext: .*\n$/],
    [["sessions", "ls", "--store", "mysql://localhost"], /begin with file:, redis:/],
    [["query", "--resume", "x", "hi"], /--resume takes the whole id/],
    [["frames", "--stats", "--validate"], /not both/],
    [["frames", "--filter", "!"], /^reins: A filter is .*\nNext: reins frames --help\n$/],
    [["completion", "csh"], /Allowed choices are bash, zsh, fish\.\nNext: reins completion --help/],
    [["query", "hi", "--permission-mode", "all"], /Allowed choices are default, acceptEdits, /],
    [["tap", "run", "--", ""], /^reins: The name of the command is empty\.\nNext: reins tap run --help\n$/],
    [[], /^Usage: reins /],
  ] as const)("%j ends with a reason, and a next step", async ([args, text]) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect(stderr).toMatch(text);
    expect({ code, stdout }).toEqual({ code: args.includes("--store" as never) ? 1 : 2, stdout: "" });
  });

  test("are said in JSON where JSON is asked for", async () => {
    const { stderr } = await cli.run(["sessions", "show", "--json"]);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "REINS_CLI_USAGE",
        message: "missing required argument 'session'",
        next: "reins sessions show --help",
      },
    });
  });
});

test("a reader that leaves ends the work without a word", async () => {
  await using _leaks = startLeakCheck();
  const child = cli.start(["frames", "--json"]);
  const stderr: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const exit = once(child, "exit");
  child.stdin.on("error", () => {});
  // More than any pipe holds, and no end: only the broken pipe can end it.
  const line = `{"type":"x","text":"${"y".repeat(1000)}"}\n`;
  const feed = (): void => {
    while (!child.stdin.destroyed && child.stdin.write(line.repeat(100)));
  };
  child.stdin.on("drain", feed);
  feed();
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await exit).toEqual([0, null]);
  child.stdin.destroy();
  expect(Buffer.concat(stderr).toString()).toBe("");
});

test("a reader of both outputs that leaves ends the work with 0, too", async () => {
  const command = 'yes "not json" | ("$@"; echo "came to $?" >&3) 2>&1 | head -n 1';
  const shell = spawn("bash", ["-c", command, "bash", process.execPath, cli.main, "frames"], {
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  const said = ["", ""];
  for (const [i, stream] of [shell.stdout, shell.stdio[3]].entries()) {
    stream?.on("data", (chunk: Buffer) => {
      said[i] += String(chunk);
    });
  }
  await once(shell, "close");
  expect(said).toEqual([expect.stringMatching(/^Line 1: .*\n$/), "came to 0\n"]);
});

test("frames are checked, counted and filtered, and broken lines are said", async () => {
  const input = '{"type":"keep_alive"}\n{"type":"result","subtype":"success"}\nnot json\n{"type":"new_kind"}\n';
  const [checked, filtered, missing] = await Promise.all([
    cli.run(["frames", "--validate", "--json"], { input }),
    cli.run(["frames", "--filter", "!result", "--json"], { input }),
    cli.run(["frames", "no-such-file"]),
  ]);
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Line 3: /) });
  expect(JSON.parse(checked.stdout)).toMatchObject({ line: 2, kind: "result/success", flaws: expect.any(Array) });
  expect(filtered).toMatchObject({ code: 1, stdout: '{"type":"keep_alive"}\n{"type":"new_kind"}\n' });
  expect(missing).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/ENOENT.*\nNext: check the path\.\n$/),
  });
});
