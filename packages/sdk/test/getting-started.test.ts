import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

// The programs of docs/getting-started.md. That it shows them as they are is checked with all guides.

const folder = join(import.meta.dirname, "../../../docs/examples");

async function runWith(script: ModelScript, example: string): Promise<{ stdout: string; stderr: string }> {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(script);
  await using sandbox = await createSandbox({ model });
  const said = await promisify(execFile)(...exampleCommand(join(folder, example)), {
    cwd: sandbox.cwd,
    env: { ...sandbox.env, CLAUDE_CODE_EXECUTABLE: findTestBinary() },
  });
  model.assertDone();
  return said;
}

test("the first run prints the answer and what it came to", async () => {
  const { stdout, stderr } = await runWith([text("Two files.")], "first-run.ts");
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^Two files\.\nsuccess, [\d.e-]+ USD\n$/);
});

test("messages are collected", async () => {
  const { stdout, stderr } = await runWith([text("Hello.")], "collect.ts");
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^Hello\. \d+\nHello\.\n$/);
});

test("the first own tool is called, and the model gets its answer", async () => {
  const script: ModelScript = ({ toolResults: [result] }) =>
    result ? text(`There are ${result.text}.`) : toolUse("mcp__stock__count", { fruit: "apples" });
  const { stdout, stderr } = await runWith(script, "own-tool.ts");
  expect(stderr).toBe("");
  expect(stdout).toContain("result: 'There are 12.'");
});

test("a client sends a prompt", async () => {
  expect(await runWith([text("It is main.ts.")], "several-turns.ts")).toEqual({
    stdout: "It is main.ts.\n",
    stderr: "",
  });
});

test("the run without a login brings its own model", async () => {
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, "without-login.ts")));
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^There are 12\.\n\[ \{.*text: '12'.*\} \]\n$/s);
});
