import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createSandbox, findTestBinary, type ModelScript, startScriptedModel, text } from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

// The programs that docs/*.md show; those of the first steps are in getting-started.test.ts. A guide shows a detail, so most of them are only
// to run to their end.

const folder = join(import.meta.dirname, "../../../docs/examples");

async function runWith(script: ModelScript, ...examples: readonly string[]): Promise<string> {
  await using model = await startScriptedModel(script);
  await using sandbox = await createSandbox({ model });
  const env = { ...sandbox.env, CLAUDE_CODE_EXECUTABLE: findTestBinary() };
  let all = "";
  for (const example of examples) {
    const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, example)), {
      cwd: sandbox.cwd,
      env,
    });
    expect(stderr).toBe("");
    all += stdout;
  }
  return all;
}

test.each([
  ["handle-errors.ts", /^result$/m],
  ["hooks.ts", /^result$/m],
  ["limits.ts", /^success\n$/],
  ["permission-callback.ts", /^result$/m],
  ["permission-policy.ts", /^function\n$/],
  ["signals.ts", /^function\n$/],
  ["stream.ts", /^Hello\.$/],
  // Whether the prompt was read before it was interrupted is a race.
  ["interrupt.ts", /^(error_during_execution|success)$/m],
])("docs/examples/%s runs", async (example, printed) => {
  expect(await runWith(() => text("Hello."), example)).toMatch(printed);
});

test("the latest session is resumed, and one in a store is continued", async () => {
  const script: ModelScript = () => text("Hello.");
  expect(await runWith(script, "first-run.ts", "resume.ts")).toMatch(/USD\nHello\.\n$/);
  expect(await runWith(script, "mirror.ts")).toBe("");
});

test("the tests that docs/testing.md shows pass", async () => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  // It finds examples/*.test.ts, and the sources of the workspace.
  const config = join(import.meta.dirname, "../../sessions/test/fixtures/vitest.config.mjs");
  const args = [vitest, "run", "--root", dirname(folder), "--config", config, "--reporter=verbose"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NO_COLOR: "1" } });
  expect(stdout).toContain("✓ examples/scripted-model.test.ts > the agent looks into the stock before it answers");
  expect(stdout).toContain("✓ examples/scripted-cli.test.ts > a CLI that dies before its result is an error");
});
