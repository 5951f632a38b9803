import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");
const example = "examples/own-tool.ts";

const shown = ["many-turns", "permissions", "profile", "warm-pool", "spare"].map((name) => `examples/${name}.ts`);

test.each([example, ...shown])("the README shows %s as it is", async (file) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${file} -->\n\`\`\`ts\n${await readFile(join(folder, file), "utf8")}\`\`\`\n`);
});

test("the README of the repository shows it too", async () => {
  const readme = await readFile(join(folder, "../../README.md"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the example runs with the real CLI, and the model got the tool's answer", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ toolResults: [result] }) =>
    result ? text(`It is ${result.text}.`) : toolUse("mcp__calc__add", { a: 2, b: 40 }),
  );
  await using sandbox = await createSandbox({ model });
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, example)), {
    env: { ...sandbox.env, CLAUDE_CODE_EXECUTABLE: findTestBinary() },
  });
  expect({ stdout, stderr }).toEqual({ stdout: "It is 42.\n", stderr: "" });
});

test("the example of many turns runs with the real CLI", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ userText }) => text(`About: ${userText}`));
  await using sandbox = await createSandbox({ model });
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, "examples/many-turns.ts")), {
    env: { ...sandbox.env, CLAUDE_CODE_EXECUTABLE: findTestBinary() },
  });
  const lines = ["Which module handles VAT?", "Does it handle reverse charge?", "Answer in one sentence."];
  expect({ stdout, stderr }).toEqual({ stdout: lines.map((line) => `About: ${line}\n`).join(""), stderr: "" });
});

test.each([
  ["profile", "It is 42."],
  ["permissions", "Hello."],
  ["warm-pool", "Hello."],
  ["spare", "Hello."],
])("the example %s runs with the real CLI", async (name, said) => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ userText, toolResults: [result] }) => {
    if (result) return text(`It is ${result.text}.`);
    return userText === "2 + 40" ? toolUse("mcp__tools__add", { a: 2, b: 40 }) : text("Hello.");
  });
  await using sandbox = await createSandbox({ model });
  const { stdout } = await promisify(execFile)(...exampleCommand(join(folder, `examples/${name}.ts`)), {
    env: { ...sandbox.env, CLAUDE_CODE_EXECUTABLE: findTestBinary() },
  });
  expect(stdout.endsWith(`${said}\n`)).toBe(true);
});
