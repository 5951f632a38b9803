import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");
const example = "examples/permissions.ts";

test("the README shows the example as it is", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the example runs with the real CLI", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ toolResults: [result] }) =>
    result
      ? text(`It said: ${result.text}`)
      : toolUse("Bash", { command: "touch made.txt", description: "Make a file" }),
  );
  await using sandbox = await createSandbox({ model });
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, example)), {
    env: { ...sandbox.env, CLAUDE_CODE_EXECUTABLE: findTestBinary() },
  });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^may it use Bash with \{"command":"touch made.txt".*\}\?$/m);
  expect(stdout).toMatch(/^Claude Code \d+\.\d+\.\d+$/m);
  expect(stdout).toMatch(/^It said: Not here\.$/m);
});
