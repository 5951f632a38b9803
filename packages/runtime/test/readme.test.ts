import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSandbox, findTestBinary, startScriptedModel, text } from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";
import { touch } from "./fixtures/scripts.ts";

const folder = join(import.meta.dirname, "..");
const examples = ["examples/watch-a-turn.ts", "examples/read-a-log.ts"];

test.each(examples)("the README shows %s as it is", async (example) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

/** The lines that an example prints. */
async function run(example: string, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, example)), options);
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

test("the example of a turn runs with the real CLI", async () => {
  await using model = await startScriptedModel(({ toolResults: [result] }) =>
    result ? text("Made.") : touch("notes.txt"),
  );
  await using sandbox = await createSandbox({ model });
  const env = { ...sandbox.env, CLAUDE_CODE_EXECUTABLE: findTestBinary() };
  expect(await run("examples/watch-a-turn.ts", { cwd: sandbox.cwd, env })).toEqual([
    "[Bash requested]",
    "[Bash checking]",
    "[Bash awaiting_permission]",
    "[Bash running]",
    "[Bash completed]",
    "Made.",
    "5 characters, 1 call",
  ]);
});

test("the example of a log runs", async () => {
  expect(await run("examples/read-a-log.ts")).toEqual([
    "1 turn.started ",
    "1 turn.stage ",
    "1 response.chunk ",
    "1 response.chunk Hello.",
    "1 response.chunk ",
    "1 turn.completed ",
    "2 turn.started ",
    "2 turn.stage ",
    "2 execution_mode.changed ",
    "2 turn.failed",
  ]);
});
