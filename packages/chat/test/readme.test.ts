import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text } from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");
const example = "examples/ask-about-a-folder.ts";

test(`the README shows ${example} as it is`, async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the example runs", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([text("It is empty.")]);
  await using sandbox = await createSandbox({ model });
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  await symlink(findTestBinary(), join(bin, "claude"));
  const child = spawn(...exampleCommand(join(folder, example)), {
    ...sandbox.spawnOptions({ PATH: `${bin}:${sandbox.env["PATH"]}` }),
    timeout: 60_000,
  });
  child.stdin.end("What is here?\n");
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, "exit")]);
  expect(stdout).toBe("It is empty.\n");
  expect(stderr).toMatch(/^Go on later: npx tsx ask-about-a-folder\.ts [0-9a-f-]{36}\n$/);
  expect(child.exitCode).toBe(0);
  expect(model.requests[0]?.systemText).toContain("Answer in one sentence.");
  model.assertDone();
});
