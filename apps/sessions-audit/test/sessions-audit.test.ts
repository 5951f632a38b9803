import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { forkSession, listSessions, renameSession } from "@reins/sessions";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test, vi } from "vitest";

// The CLI starts slowly where many do.
vi.setConfig({ testTimeout: 120_000 });

const hostile = `<img src=x onerror="alert(1)">\u001b[2J\u009b2J\u202e`;

test("reports a session of the real CLI and its fork, in each format, and executes nothing of them", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([
    { content: toolUse("Bash", { command: "echo ran" }), usage: { input_tokens: 100, output_tokens: 10 } },
    { content: toolUse("Read", { file_path: "/nowhere" }), usage: { input_tokens: 200, output_tokens: 20 } },
    { content: text("Done."), usage: { input_tokens: 300, output_tokens: 30 } },
  ]);
  await using sandbox = await createSandbox({ model });
  const { configDir } = sandbox;
  await runCli(["-p", "Do it.", "--allowedTools=Bash,Read"], sandbox.spawnOptions());
  const [session] = await listSessions({ configDir });
  const fork = await forkSession(session!.sessionId, { configDir });
  await renameSession(fork.sessionId, hostile, { configDir });
  const projectKey = sandbox.cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
  await appendFile(join(configDir, "projects", projectKey, `${fork.sessionId}.jsonl`), '{"type":"ass');

  const report = JSON.parse(await run(configDir, "json"));
  expect(report.sessions).toHaveLength(2);
  // Those of the fork are the session's.
  expect(report.total).toMatchObject({ responses: 3, inputTokens: 600, outputTokens: 60 });
  expect(report.total.costUsd).toBeGreaterThan(0);
  expect(Object.values(report.days)).toEqual([expect.objectContaining({ responses: 3 })]);
  expect(report.tools).toEqual({ Bash: { calls: 1, errors: 0 }, Read: { calls: 1, errors: 1 } });
  expect(report.problems).toEqual([expect.stringContaining(fork.sessionId)]);

  const table = await run(configDir, "table");
  expect(table).toMatch(/^all +3 +600 +60 /m);
  expect(table).toMatch(/^Read +1 +1$/m);
  expect(table).toContain("<img src=x");
  expect(table).not.toMatch(/[^\P{C}\n]/u);

  const page = await run(configDir, "html");
  expect(page).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  expect(page).not.toContain("<img");
  expect(page.match(/<svg role="img"/g)).toHaveLength(4);
});

test("an empty folder is an empty report, and a wrong argument says what is right", async () => {
  await using sandbox = await createSandbox();
  const { sessions, tools, problems } = JSON.parse(await run(sandbox.configDir, "json"));
  expect({ sessions, tools, problems }).toEqual({ sessions: [], tools: {}, problems: [] });
  await expect(run(sandbox.configDir, "constructor")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[--format json|table|html]"),
  });
});

async function run(configDir: string, format: string): Promise<string> {
  const main = join(import.meta.dirname, "../src/main.ts");
  const argv = ["--import=tsx", main, "--config-dir", configDir, "--format", format];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 110_000 });
  expect(stderr).toBe("");
  return stdout;
}

async function runCli(argv: readonly string[], options: { cwd: string; env: Record<string, string> }): Promise<void> {
  const cli = spawn(findTestBinary(), argv, { ...options, stdio: "ignore" });
  expect(await once(cli, "exit")).toEqual([0, null]);
}
