import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";
import { hosts, runHost } from "./run-host.ts";

const folder = join(import.meta.dirname, "..");

test.each([
  ["examples/bridge.ts", "ts"],
  ["examples/host.py", "python"],
])("the README shows %s as it is", async (example, language) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const code = await readFile(join(folder, example), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`${language}\n${code}\`\`\`\n`);
});

test.each(hosts)("%s examples/%s holds two turns with a tool of its own and a permission question", async (...host) => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([
    toolUse("mcp__host__add", { a: 2, b: 40 }),
    text("It is 42."),
    toolUse("Bash", { command: "date > now.txt; echo done", description: "Tell the time" }),
    text("It is late."),
  ]);
  await using sandbox = await createSandbox({ model });
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  await symlink(findTestBinary(), join(bin, "claude"));
  const [command, args] = exampleCommand(join(folder, "examples", "bridge.ts"));
  const run = await runHost(host, [command, ...args], sandbox, { PATH: `${bin}:${sandbox.env["PATH"]}` });
  expect(run).toEqual({ code: 0, stdout: "completed: It is 42.\ncompleted: It is late.\n", stderr: "" });
  expect(model.requests.map(({ toolResults }) => toolResults[0]?.text)).toEqual([undefined, "42", undefined, "done"]);
  expect(await readFile(join(sandbox.cwd, "now.txt"), "utf8")).not.toBe("");
  model.assertDone();
});
