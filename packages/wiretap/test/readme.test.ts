import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text } from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");
const example = "examples/record.ts";

test(`the README shows ${example} as it is`, async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the example runs", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([
    { content: text("Hello."), usage: { input_tokens: 12, cache_read_input_tokens: 34 } },
  ]);
  await using sandbox = await createSandbox({ model });
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  await symlink(findTestBinary(), join(bin, "claude"));
  const { stdout, stderr } = await promisify(execFile)(
    ...exampleCommand(join(folder, example)),
    sandbox.spawnOptions({ PATH: `${bin}:${sandbox.env["PATH"]}` }),
  );
  expect(stderr).toBe("");
  const lines = stdout.trim().split("\n");
  expect(lines[0]).toBe("Hello.");
  expect(lines.at(-1)).toMatch(
    /^\d+: .+, \d{3,} characters of system prompt, \d+ tools, 12 tokens in, 34 from the cache$/,
  );
  expect(await readdir(join(sandbox.cwd, "capture"))).toContain("0001.json");
  model.assertDone();
});
