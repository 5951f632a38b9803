import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { program } from "./start-chat.ts";

test("takes lines from a pipe, of which some are answers, and writes the answers of the model and nothing else to the output", async () => {
  await using _leaks = startLeakCheck();
  await using chat = await startInPipe();
  chat.child.stdin.end(
    "/nothing\nhello,\\\nyou\n\nrun touch a.txt\ny\nquestion\n2\nLarge\nrun touch b.txt\nmarkdown\nrun touch c.txt\n",
  );
  expect(await chat.exit).toBe(0);
  expect(chat.stdout).toMatch(/^Answer 1: you said \*hello,\nyou\*\.\nI will run that\.\nDone\. It said:\n/);
  expect(chat.stdout).toContain('"Which colour should it have?"="Green", "Which sizes are needed?"="Large"');
  // "markdown" is the answer to the second question, and no yes; behind the last line nobody is left.
  expect(chat.stdout).toMatch(/It was not done: The action was not approved\.\n.*Nobody is there to be asked\.\n$/s);
  expect(chat.stderr).toMatch(
    /^There is no `\/nothing`\..*\n\[Bash touch a\.txt\]\n\? Allow Bash\?\n {2}touch a\.txt\n {2}\[y\]es, \[a\]lways in this session, \[n\]o: \n\[AskUserQuestion/,
  );
  expect(chat.stdout + chat.stderr).not.toContain("\x1b");
});

test("interrupts the turn at SIGINT and goes on, and ends with the signal at SIGTERM", async () => {
  await using _leaks = startLeakCheck();
  await using chat = await startInPipe();
  chat.child.stdin.write("slowly\n");
  await chat.until("One word");
  chat.child.kill("SIGINT");
  await chat.until("Interrupted.\n");
  const before = chat.stdout.length;
  chat.child.stdin.write("slowly\n");
  await vi.waitFor(() => expect(chat.stdout.slice(before)).toContain("One word"), { timeout: 30_000 });
  chat.child.kill("SIGTERM");
  expect(await chat.exit).toBe(143);
});

test("ends without a word when nobody reads the answers", async () => {
  await using _leaks = startLeakCheck();
  await using chat = await startInPipe();
  chat.child.stdin.write("slowly\n");
  await chat.until("One word");
  chat.child.stdout.destroy();
  expect(await chat.exit).toBe(0);
  expect(chat.stderr).toBe("");
});

/** Starts the chat without a terminal. Dispose it to end it. */
async function startInPipe() {
  const home = await mkdtemp(join(tmpdir(), "chat-"));
  const env = { PATH: process.env["PATH"], TMPDIR: tmpdir(), HOME: home };
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, program, { env });
  child.stdin.on("error", () => {});
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return {
    child,
    exit,
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
    until: (text: string) => vi.waitFor(() => expect(said.stdout + said.stderr).toContain(text), { timeout: 30_000 }),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await exit;
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
