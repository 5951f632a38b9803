import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTerminal } from "@reins/test-servers/terminal";
import { startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";

// The CLI starts slowly where many do.
vi.setConfig({ testTimeout: 120_000 });

const program = [`--import=${import.meta.resolve("tsx")}`, join(import.meta.dirname, "../src/main.ts")];

test("chats with a scripted model in a real terminal, and leaves nothing behind", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startTerminal({ columns: 80, rows: 24 });
  await terminal.enter(`clear; node ${program.join(" ")}`);
  await terminal.see(/no key, no network, no\s+tokens[^$]*\n>\s*\n\s*\n(mode )?default/);
  await terminal.enter("run touch one.txt");
  await terminal.see(/\? Allow Bash\?\n {2}touch one\.txt\n❯ y Yes, this once/);
  await terminal.press("y");
  await terminal.see(/✓ Bash touch one\.txt \d+\.\ds\n\nDone\. It said:/);
  await terminal.enter("question");
  await terminal.see(/\? Colour: Which colour should it have\?\n❯ 1 Blue\n/);
  await terminal.press("Enter");
  await terminal.see(/"Which colour should it have\?"="Blue"/);
  await terminal.press("C-d");
  await terminal.assertRestored();
  expect(await readdir(terminal.folder)).not.toContainEqual(expect.stringContaining("reins-sandbox"));
});

test("says how it is used", async () => {
  const { stderr, code } = await new Promise<{ stderr: string; code: unknown }>((resolve) => {
    const env = { PATH: process.env["PATH"], TMPDIR: tmpdir() };
    execFile(process.execPath, [...program, "--nothing"], { env, timeout: 60_000 }, (error, _, stderr) =>
      resolve({ stderr, code: error?.code }),
    );
  });
  expect({ stderr, code }).toEqual({ stderr: "Usage: npm start -- [--live [--continue]]\n", code: 2 });
});
