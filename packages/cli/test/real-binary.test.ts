import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startTerminal } from "@reins/test-servers/terminal";
import {
  apiError,
  createGate,
  createSandbox,
  findTestBinary,
  type ModelScript,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BuiltCli, buildCli, finish, type Ran } from "./built-cli.ts";

let cli: BuiltCli;
beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const claude = ["--claude", findTestBinary()] as const;

type Scene = Awaited<ReturnType<typeof createScene>>;

/** A model with a script, and the command in a sandbox that leads to it. */
async function createScene(script: ModelScript) {
  const leaks = startLeakCheck();
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model });
  const { cwd, env } = sandbox.spawnOptions();
  return {
    model,
    sandbox,
    start: (...args: readonly string[]) => cli.start(args, { cwd, env }),
    reins: (args: readonly string[], input?: string): Promise<Ran> =>
      cli.run(args, { cwd, env, ...(input !== undefined && { input }) }),
    [Symbol.asyncDispose]: async () => {
      await sandbox.close();
      await model.close();
      await leaks.assertClean();
    },
  };
}

describe("query", () => {
  test("answers as text, with what was piped in before the words", async () => {
    await using scene = await createScene([text("It is \u001b[31m42.")]);
    const ran = await scene.reins(["query", ...claude, "How", "much?"], "6 times 7\n");
    expect(ran).toEqual({ code: 0, stdout: "It is ␛[31m42.\n", stderr: "" });
    expect(scene.model.requests[0]?.userText).toContain("6 times 7\n\nHow much?");
    expect(scene.model.requests[0]?.systemText).toContain("Claude Code");
    scene.model.assertDone();
  });

  test("streams messages that frames reads, calls tools, keeps the session in a store and records the requests", async () => {
    await using scene = await createScene([toolUse("Bash", { command: "echo $((6 * 7))" }), text("42")]);
    const options = [
      "--output",
      "stream-json",
      "--verbose",
      "--allowed-tools",
      "Bash",
      "--store",
      "file:kept",
      "--capture",
      "capture",
    ];
    const ran = await scene.reins(["query", ...claude, ...options, "6 times 7?"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe("> Bash echo $((6 * 7))\n< 42\n");
    const [stats, flaws, sessions, shown] = await Promise.all([
      scene.reins(["frames", "--stats", "--json"], ran.stdout),
      scene.reins(["frames", "--validate"], ran.stdout),
      scene.reins(["sessions", "ls", "--store", "file:kept", "--json"]),
      scene.reins(["tap", "show", "capture"]),
    ]);
    expect(JSON.parse(stats.stdout)).toMatchObject({
      malformed: 0,
      kinds: { "system/init": { count: 1 }, "result/success": { count: 1 } },
    });
    expect(flaws).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse(sessions.stdout)).toMatchObject({ firstPrompt: "6 times 7?" });
    expect(shown.stdout).toMatch(/\n2 calls, /);
    scene.model.assertDone();
  });

  test("tells what came of it by its exit code, and in JSON", async () => {
    await using scene = await createScene(({ userText }) =>
      userText.includes("Again.") ? apiError(400, { message: "No such luck." }) : toolUse("Bash", { command: "true" }),
    );
    const limited = await scene.reins([
      "query",
      ...claude,
      "--json",
      "--max-turns",
      "1",
      "--allowed-tools",
      "Bash",
      "Go on.",
    ]);
    expect(limited).toMatchObject({ code: 3, stderr: "" });
    expect(JSON.parse(limited.stdout)).toMatchObject({ outcome: "limit-reached", turns: expect.any(Number) });
    const failed = await scene.reins(["query", ...claude, "Again."]);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toMatch(/^reins: The turn is failed\..*No such luck\./);
    const missing = await scene.reins(["query", "--claude", "/nowhere/claude", "Hi."]);
    expect(missing).toMatchObject({ code: 5, stdout: "" });
    expect(missing.stderr).toMatch(/\nNext: .*npm install -g/);
  });

  test("ends with its CLI at a signal, and at the end of its time", async () => {
    const gate = createGate();
    await using scene = await createScene(() => ({ content: text("late"), hold: gate.opened }));
    const child = scene.start("query", ...claude, "Wait.");
    const ran = finish(child, undefined);
    await scene.model.waitForRequest(1);
    child.kill("SIGINT");
    expect(await ran).toEqual({ code: 130, stdout: "", stderr: "" });
    const late = await scene.reins(["query", ...claude, "--timeout", "1", "Wait."]);
    expect(late).toEqual({ code: 3, stdout: "", stderr: "reins: There was no answer in 1 s.\n" });
    gate.open();
  });
});

test("tap run records what a command asks, and gives its exit code", async () => {
  await using scene = await createScene([text("Hello.")]);
  const ran = await scene.reins(["tap", "run", "--dir", "capture", "--", findTestBinary(), "-p", "Say hello."]);
  expect(ran).toMatchObject({ code: 0, stdout: "Hello.\n" });
  expect(ran.stderr).toContain("reins tap show capture");
  expect(await readdir(join(scene.sandbox.cwd, "capture"))).toContain("0001.json");
  const { stdout } = await scene.reins(["tap", "show", "capture", "--json"]);
  expect(JSON.parse(stdout).calls.at(-1)).toMatchObject({ end: "complete", status: 200 });
  expect(await scene.reins(["tap", "run", "--dir", "other", "--", "sh", "-c", "exit 7"])).toMatchObject({ code: 7 });
  expect(await scene.reins(["tap", "run", "--dir", "other", "--", "no-such-program"])).toMatchObject({ code: 1 });
});

test("bridge holds a session for a host", async () => {
  await using scene = await createScene([text("Hello, host.")]);
  const child = scene.start("bridge", ...claude);
  await using bridge = listen(child);
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ type: "hello", protocols: [1] });
  send({ type: "open" });
  send({ type: "send", id: "1", content: "Hi." });
  await bridge.until('"type":"turn_end"');
  await bridge.until('"text":"Hello, host."');
  child.stdin.end();
  expect(await bridge.exit).toBe(0);
  scene.model.assertDone();
});

test("doctor finds everything in order, a round trip included, and says what is missing", async () => {
  await using scene = await createScene([]);
  const [whole, broken] = await Promise.all([
    scene.reins(["doctor", "--json", ...claude]),
    scene.reins(["doctor", "--claude", "/nowhere/claude"]),
  ]);
  const results = whole.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const statusOf = (check: string): unknown => results.find((result) => result.check === check)?.status;
  expect(results.filter(({ status }) => status === "failed")).toEqual([]);
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  for (const check of ["Node.js", "program", "version", "login", "configuration folder", "round trip"])
    expect(statusOf(check)).toBe("ok");
  expect(broken).toMatchObject({ code: 1, stderr: "" });
  expect(broken.stdout).toMatch(/failed {2}program: \/nowhere\/claude is not there\.\n +Next: check the path\./);
  expect(broken.stdout).not.toContain("round trip");
  // The round trip asks a model of its own.
  scene.model.assertDone();
});

test("chat without a terminal holds a conversation, and asks before a tool is used", async () => {
  await using scene = await createScene([
    toolUse("Bash", { command: "touch made.txt" }),
    text("Made."),
    toolUse("Bash", { command: "touch other.txt" }),
    text("Then not."),
  ]);
  await writeFile(join(scene.sandbox.cwd, "here.txt"), "");
  const ran = await scene.reins(["chat", ...claude], "Make it,\\\nplease.\ny\nAnd another.\nn\n/exit\n");
  expect(ran).toMatchObject({ code: 0, stdout: "Made.\nThen not.\n" });
  expect(ran.stderr).toMatch(/touch made\.txt\n {2}\[y\]es.*touch other\.txt\n {2}\[y\]es.*denied/s);
  expect(scene.model.requests[0]?.userText).toContain("Make it,\nplease.");
  expect(await readdir(scene.sandbox.cwd)).toEqual(["here.txt", "made.txt"]);
  scene.model.assertDone();
});

test.each(["Hello.", "/model"])("chat says at %j why there is no session, and what to do", async (line) => {
  await using scene = await createScene([]);
  const ran = await scene.reins(["chat", "--claude", "/nowhere/claude"], `${line}\n`);
  expect(ran).toMatchObject({ code: 5, stdout: "" });
  expect(ran.stderr).toMatch(/^reins: .*\/nowhere\/claude.*\nNext: .*npm install -g/);
});

test("chat interrupts the turn at SIGINT and goes on", async () => {
  const gate = createGate();
  await using scene = await createScene([
    { content: text("never", " seen"), afterEvents: 3, hold: gate.opened },
    text("Here again."),
  ]);
  const child = scene.start("chat", ...claude);
  await using chat = listen(child);
  child.stdin.write("First.\n");
  await chat.until("never");
  child.kill("SIGINT");
  await chat.until("Interrupted.");
  gate.open();
  child.stdin.end("Second.\n");
  await chat.until("Here again.");
  expect(await chat.exit).toBe(0);
});

/** What a child says, and its end. It is killed when the test has failed. */
function listen(child: ChildProcessWithoutNullStreams) {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return {
    exit,
    until: (what: string): Promise<void> => vi.waitFor(() => expect(said).toContain(what), { timeout: 30_000 }),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

test("chat on a terminal has a screen, where tools are asked about and Markdown is set, and says how to come back", async () => {
  await using scene = await createScene([toolUse("Bash", { command: "touch made.txt" }), text("- **Made**")]);
  await using terminal = await startChatIn(scene);
  await terminal.see(/Chat with Claude Code\. \/help shows what there is\.\n\n>\s*\n\n(mode )?default/);
  await terminal.enter("Make it.");
  await terminal.see(/\? Allow Bash\?\n {2}touch made\.txt\n❯ y Yes, this once/);
  await terminal.press("y");
  await terminal.see(/✓ Bash touch made\.txt \d+\.\ds\n\n• Made\n/);
  await terminal.press("C-d");
  await terminal.see(/Go on later: reins chat --resume [0-9a-f-]{36}\n/);
  await terminal.assertRestored();
  expect(await readdir(scene.sandbox.cwd)).toEqual(["made.txt"]);
  scene.model.assertDone();
});

test("chat keeps its sessions in a store, from where they are picked, gone on with and forked", async () => {
  await using scene = await createScene(({ body }) =>
    text(`Answer ${body.messages.filter(({ role }) => role === "assistant").length + 1}.`),
  );
  await using terminal = await startChatIn(scene, ["--store", "file:kept"]);
  await terminal.see(/\n>\s*\n\n(mode )?default/);
  await terminal.enter("An apple.");
  await terminal.see("\nAnswer 1.");
  await terminal.enter("/new");
  await terminal.see("A new session.");
  await terminal.enter("/resume");
  await terminal.see(/\? Which session\?\n❯ An apple\.\n/);
  await terminal.press("Enter");
  await terminal.see(/Resumed [0-9a-f-]{36}\./);
  await terminal.enter("Another apple.");
  await terminal.see("\nAnswer 2.");
  await terminal.press("C-d");
  const shown = await terminal.see(/Go on later, with the same --store: reins chat --resume [0-9a-f-]{36}\n/);
  const [, resumed = "", last] = /Resumed ([0-9a-f-]{36})[^$]*--resume ([0-9a-f-]{36})/.exec(shown) ?? [];
  expect(last).toBe(resumed);

  const forked = await scene.reins(
    ["chat", ...claude, "--store", "file:kept", "--continue"],
    `/fork\nIn the copy.\n/resume ${resumed}\nThe third apple.\n`,
  );
  expect(forked).toMatchObject({ code: 0, stdout: "Answer 3.\nAnswer 3.\n" });
  expect(forked.stderr).toMatch(/stays as it is\.\n> An apple\.\nAnswer 1\.\n> Another apple\.\nAnswer 2\.\nResumed/);
  const { stdout } = await scene.reins(["sessions", "ls", "--store", "file:kept", "--json"]);
  expect(stdout.trim().split("\n")).toHaveLength(2);
});

test("chat on a terminal that can only print: a prompt, and Ctrl-C that interrupts the turn and not the session", async () => {
  const gate = createGate();
  await using scene = await createScene([
    { content: text("never", " seen"), afterEvents: 3, hold: gate.opened },
    text("Here again."),
  ]);
  await using terminal = await startChatIn(scene, [], "dumb");
  await terminal.see(/\n> *\n/);
  await terminal.enter("First.");
  await terminal.see("\nnever");
  await terminal.press("C-c");
  await terminal.see(/Interrupted\.\n> *\n/);
  gate.open();
  await terminal.enter("Second.");
  // The turn is over when there is a prompt again.
  await terminal.see(/\nHere again\.\n> *\n/);
  await terminal.press("C-c");
  await terminal.see("Go on later: reins chat --resume ");
  await terminal.assertRestored();
});

/** `reins chat` in a real terminal. Control-C goes to all processes in front there. */
async function startChatIn({ sandbox }: Scene, options: readonly string[] = [], term?: string) {
  const { cwd, env } = sandbox.spawnOptions(term === undefined ? {} : { TERM: term });
  const terminal = await startTerminal({ columns: 80, rows: 24, env });
  await terminal.enter(`cd ${cwd}; clear; ${process.execPath} ${cli.main} chat ${[...claude, ...options].join(" ")}`);
  return terminal;
}
