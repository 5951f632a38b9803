import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";
import { describeCommands } from "../src/completion/describe-commands.ts";
import { Context } from "../src/context.ts";
import { createProgram } from "../src/program.ts";

const folder = join(import.meta.dirname, "..");
const example = "examples/open-a-store.ts";

test("the README has every command, and the example as it is", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
  const commands = describeCommands(createProgram(new Context()).program).filter(
    ({ subcommands }) => subcommands.length === 0,
  );
  for (const { path } of commands) expect(readme).toContain(`\`${path}`);
});

test("the example runs", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "reins-cli-example-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, example)), {
    cwd,
    env: { PATH: process.env["PATH"] },
  });
  expect({ stdout, stderr }).toEqual({ stdout: "That was file:./sessions\n", stderr: "" });
});
