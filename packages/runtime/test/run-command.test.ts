import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { type CommandLimits, runCommand } from "../src/run-command.ts";

const limits = (more: Partial<CommandLimits> = {}): CommandLimits => ({
  cwd: "/",
  input: "{}",
  timeoutMs: 20_000,
  signal: new AbortController().signal,
  ...more,
});

async function expectDead(pid: number): Promise<void> {
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 10_000);
}

test("a command gets its input, and gives its output and exit code", async () => {
  await using _leaks = startLeakCheck();
  const end = await runCommand("cat; echo told >&2; exit 3", limits({ input: "given" }));
  expect(end).toEqual({ exitCode: 3, stdout: "given", stderr: "told\n", failure: undefined });
});

test("a command that does not read its input is no fault, however long that is", async () => {
  await using _leaks = startLeakCheck();
  expect(await runCommand("exit 0", limits({ input: "x".repeat(1_000_000) }))).toMatchObject({ exitCode: 0 });
});

test("a command that hangs is killed at its timeout, with what it started", async () => {
  await using _leaks = startLeakCheck();
  const end = await runCommand("trap '' TERM; sleep 300 & echo $!; wait", limits({ timeoutMs: 300 }));
  expect(end).toMatchObject({ exitCode: undefined, failure: "it did not end within 300 ms" });
  await expectDead(Number(end.stdout));
});

test("a command that floods is killed, and only so much is kept", async () => {
  await using _leaks = startLeakCheck();
  const end = await runCommand("yes", limits());
  expect(end.failure).toContain("more than 1048576 bytes");
  expect(end.stdout.length).toBe(1024 * 1024);
});

test("error output beyond the limit is dropped, and the command goes on", async () => {
  await using _leaks = startLeakCheck();
  const end = await runCommand("head -c 300000 /dev/zero >&2; exit 2", limits());
  expect([end.exitCode, end.stderr.length]).toEqual([2, 64 * 1024]);
});

test("what a command leaves in the background is killed when it ends", async () => {
  await using _leaks = startLeakCheck();
  const end = await runCommand("sleep 300 & echo $!", limits());
  expect(end).toMatchObject({ exitCode: 0, failure: undefined });
  await expectDead(Number(end.stdout));
});

test("a child that has left the group and holds the output holds up nothing", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.cwd, "pid");
  const end = await runCommand(
    `setsid sh -c 'echo $$ > ${file}; exec sleep 300' & until [ -s ${file} ]; do sleep 0.01; done`,
    limits(),
  );
  expect(end).toMatchObject({ exitCode: 0 });
  const pid = Number(await readFile(file, "utf8"));
  process.kill(pid, "SIGKILL");
  await expectDead(pid);
});

test("a signal ends it, before it begins and while it runs", async () => {
  await using _leaks = startLeakCheck();
  expect(await runCommand("exit 0", limits({ signal: AbortSignal.abort() }))).toMatchObject({
    failure: "it was cancelled before it began",
  });
  const abort = new AbortController();
  const running = runCommand("sleep 300", limits({ signal: abort.signal }));
  abort.abort();
  expect(await running).toMatchObject({ exitCode: undefined, failure: "it was cancelled" });
});

test("a folder that is not there is a start that fails", async () => {
  const end = await runCommand("exit 0", limits({ cwd: "/no/such/folder" }));
  expect(end.failure).toMatch(/^it could not be started: .*ENOENT/);
});
