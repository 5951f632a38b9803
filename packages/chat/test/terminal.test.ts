import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { startChat } from "./start-chat.ts";

// The CLI starts slowly where many do.
vi.setConfig({ testTimeout: 120_000 });

test("interrupts the turn with one Ctrl-C, keeps what was written meanwhile, and exits with two", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startChat({ columns: 80, rows: 24 });
  await terminal.enter("slowly");
  await terminal.see("Writing");
  await terminal.enter("what comes next");
  await terminal.see("+ what comes next");
  await terminal.press("C-c");
  await terminal.see(/> slowly\n\nOne[^$]*\nInterrupted\.\n\n> what comes next\n/);
  await terminal.press("C-c");
  await terminal.see(/\n>\s*\n\n[^\n]*default/);
  await terminal.enter("hello");
  await terminal.see(/you said hello\./);

  // A question is taken back with its turn.
  await terminal.enter("run touch one.txt");
  await terminal.see("? Allow Bash?");
  await terminal.press("C-c");
  expect(await terminal.see(/✗ Bash touch one\.txt [^$]*Interrupted\.\n\n>/)).not.toContain("? Allow");

  await terminal.press("C-z");
  await terminal.see(/\n\$ *\n*$/);
  await terminal.enter("fg");
  await terminal.see(/\n>\s*\n\n[^\n]*default/);
  await terminal.enter("slowly");
  await terminal.see("Writing");
  await terminal.press("C-c", "C-c");
  await terminal.assertRestored();
});

test("works in 30 columns and without colour, and is gone without a trace after SIGTERM", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startChat({ columns: 30, rows: 30 }, { NO_COLOR: "1" });
  await terminal.enter("markdown");
  await terminal.see(/# Apples and pears\n\nStreamed \*\*block by block\*\*,\nwith \*emphasis\*, `code` and a\n/);
  await terminal.see(/fruit │ {3}colour {3}│ in stock\n[─┼]+\napple │ {3}red or {3}│ {7}12\n/);
  await terminal.see("│ terminal.\n");
  await terminal.enter("run touch a-file-with-a-long-name.txt");
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
  await terminal.enter("slowly");
  await terminal.see("Writing");
  process.kill(await terminal.foreground(), "SIGTERM");
  await terminal.resize(30, 30);
  await terminal.assertRestored();
  expect(await readdir(terminal.folder)).not.toContainEqual(expect.stringContaining("reins-sandbox"));
});

test("goes on with the conversation in another process when the CLI dies", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startChat({ columns: 80, rows: 24 });
  await terminal.enter("first");
  await terminal.see(/Answer 1: [^$]*context/);
  const kill = async (): Promise<void> => {
    const [cli] = (await childrenOf(await terminal.foreground())).filter(({ command }) => command.includes("claude"));
    process.kill(cli!.pid, "SIGKILL");
  };
  await terminal.enter("slowly");
  await terminal.see("Writing");
  await kill();
  await terminal.see(/✗ The turn failed with session_ended: [^$]*SIGKILL/);
  await terminal.enter("second");
  await terminal.see(/Answer [23]: you said second\.[^$]*context/);

  // Between two turns: also a command finds another one.
  await kill();
  await terminal.see(/second\.\n\n✗ Claude Code process terminated by signal SIGKILL/);
  await terminal.enter("/mode plan");
  await terminal.see("Mode: plan.");
  await terminal.enter("third");
  await terminal.see(/Answer [345]: you said third\./);
  await terminal.press("C-d");
  await terminal.assertRestored();
});

test("leaves the terminal as it was after an error that nobody caught", async () => {
  await using _leaks = startLeakCheck();
  // Not a part of the chat: something that goes wrong in the middle of a turn.
  const crash = 'data:text/javascript,process.on("SIGUSR2",()=>{throw(new(Error)("out\\x20of\\x20order"))})';
  await using terminal = await startChat({ columns: 80, rows: 24 }, {}, `--import='${crash}'`);
  await terminal.enter("slowly");
  await terminal.see("Writing");
  process.kill(await terminal.foreground(), "SIGUSR2");
  await terminal.see("Error: out of order");
  await terminal.assertRestored();
});

async function childrenOf(pid: number): Promise<{ readonly pid: number; readonly command: string }[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,args=", "--ppid", String(pid)]);
  return Array.from(stdout.matchAll(/^\s*(\d+) (.*)$/gm), ([, id = "", command = ""]) => ({
    pid: Number(id),
    command,
  }));
}
