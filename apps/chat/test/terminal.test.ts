import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { expectSaneTerminal, main, say, startChat, startTerminal, type TestTerminal } from "./tmux.ts";

// The CLI starts slowly where many do.
vi.setConfig({ testTimeout: 120_000 });

test("interrupts the turn with one Ctrl-C, keeps what was written meanwhile, and exits with two", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startTerminal({ columns: 80, rows: 24 });
  await startChat(terminal);
  await say(terminal, "slowly");
  await terminal.see("Writing");
  await say(terminal, "what comes next");
  await terminal.see("+ what comes next");
  await terminal.press("C-c");
  await terminal.see(/> slowly\n\nOne[^$]*\nInterrupted\.\n\n> what comes next\n/);
  await terminal.press("C-c");
  await terminal.see(/\n>\s*\n\n[^\n]*default/);
  await say(terminal, "hello");
  await terminal.see(/you said hello\./);

  // A question is taken back with its turn.
  await say(terminal, "run touch one.txt");
  await terminal.see("? Allow Bash?");
  await terminal.press("C-c");
  expect(await terminal.see(/✗ Bash touch one\.txt [^$]*Interrupted\.\n\n>/)).not.toContain("? Allow");

  await terminal.press("C-z");
  await terminal.see(/\n\$ *\n*$/);
  await say(terminal, "fg");
  await terminal.see(/\n>\s*\n\n[^\n]*default/);
  await say(terminal, "slowly");
  await terminal.see("Writing");
  await terminal.press("C-c", "C-c");
  await expectSaneTerminal(terminal);
});

test("works in 30 columns and without colour, and is gone without a trace after SIGTERM", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startTerminal({ columns: 30, rows: 30 }, { NO_COLOR: "1" });
  await startChat(terminal);
  await say(terminal, "markdown");
  await terminal.see(/# Apples and pears\n\nStreamed \*\*block by block\*\*,\nwith \*emphasis\*, `code` and a\n/);
  await terminal.see(/fruit │ {3}colour {3}│ in stock\n[─┼]+\napple │ {3}red or {3}│ {7}12\n/);
  await terminal.see("│ terminal.\n");
  await say(terminal, "run touch a-file-with-a-long-name.txt");
  await terminal.see(/\? Allow Bash\?\n {2}touch a-file-with-a-long-na\n {2}me\.txt\n❯ y Yes, this once\n/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(await terminal.colouredText()).not.toMatch(/\x1b\[[\d;]*[1-9]m/);
  await terminal.press("y");
  await terminal.see(/✓ Bash touch a-file-wit… \d+\.\ds\n/);
  await terminal.see(/\ndefault · \d+% · \$0\.\d+\n/);
  // A line that is longer than the terminal, and a terminal that becomes narrower while it is written.
  await terminal.type("one two three four five six seven");
  await terminal.see(/> one two three four five six\s+seven/);
  await terminal.resize(24, 30);
  await terminal.see(/> one two three four fi\s+ve six seven/);
  await terminal.press("Enter");
  const text = await terminal.see(/you said \*one\s+two\s+three/);
  expect(text.match(/default ·/g)).toHaveLength(1);
  await say(terminal, "slowly");
  await terminal.see("Writing");
  process.kill(await pidOfChat(terminal), "SIGTERM");
  await terminal.resize(30, 30);
  await expectSaneTerminal(terminal);
  expect(await readdir(terminal.folder)).not.toContainEqual(expect.stringContaining("reins-sandbox"));
});

test("goes on with the conversation in another process when the CLI dies", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startTerminal({ columns: 80, rows: 24 });
  await startChat(terminal);
  await say(terminal, "first");
  await terminal.see(/Answer 1: [^$]*context/);
  await say(terminal, "slowly");
  await terminal.see("Writing");
  const [cli] = (await childrenOf(await pidOfChat(terminal))).filter(({ command }) => command.includes("claude"));
  process.kill(cli!.pid, "SIGKILL");
  await terminal.see(/✗ The turn failed with session_ended: [^$]*SIGKILL/);
  await say(terminal, "second");
  await terminal.see(/Answer [23]: you said second\./);
  await terminal.press("C-d");
  await expectSaneTerminal(terminal);
});

test("leaves the terminal as it was after an error that nobody caught", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startTerminal({ columns: 80, rows: 24 });
  // Not a part of the chat: something that goes wrong in the middle of a turn.
  const crash = 'data:text/javascript,process.on("SIGUSR2",()=>{throw(new(Error)("out\\x20of\\x20order"))})';
  await startChat(terminal, `--import='${crash}'`);
  await say(terminal, "slowly");
  await terminal.see("Writing");
  process.kill(await pidOfChat(terminal), "SIGUSR2");
  await terminal.see("Error: out of order");
  await expectSaneTerminal(terminal);
});

test("takes lines from a pipe, writes answers and nothing else to the output, and refuses what needs a question", async () => {
  await using _leaks = startLeakCheck();
  const { stdout, stderr, code } = await runPiped("hello\nrun touch a.txt\n\nmarkdown");
  expect(stdout).toContain("Answer 1: you said *hello*.");
  expect(stdout).toContain("It was not done: Nobody is there to be asked.");
  expect(stdout).toContain("# Apples and pears\n\nStreamed **block by block**");
  expect(stdout + stderr).not.toContain("\x1b");
  expect(stderr).toBe("[Bash touch a.txt]\n[Bash denied]\n");
  expect(code).toBe(0);
});

test("says how it is used", async () => {
  const { stdout, stderr, code } = await runPiped("", "--nothing");
  expect({ stdout, stderr, code }).toEqual({
    stdout: "",
    stderr: "Usage: npm start -- [--live [--continue]]\n",
    code: 2,
  });
});

/** The process that the shell runs. */
async function pidOfChat(terminal: TestTerminal): Promise<number> {
  const [child] = await childrenOf(Number(await terminal.value("#{pane_pid}")));
  return child!.pid;
}

async function childrenOf(pid: number): Promise<{ readonly pid: number; readonly command: string }[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,args=", "--ppid", String(pid)]);
  return Array.from(stdout.matchAll(/^\s*(\d+) (.*)$/gm), ([, id = "", command = ""]) => ({
    pid: Number(id),
    command,
  }));
}

function runPiped(
  input: string,
  ...flags: readonly string[]
): Promise<{ stdout: string; stderr: string; code: number }> {
  return new Promise((resolve) => {
    const argv = ["--import=tsx", main, ...flags];
    const child = execFile(process.execPath, argv, { timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ stdout, stderr, code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1 });
    });
    child.stdin?.end(input);
  });
}
