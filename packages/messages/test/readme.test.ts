import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");
const examples = ["examples/summary.ts", "examples/check-frames.ts"];

async function run(example: string, fixture: string): Promise<string> {
  const running = promisify(execFile)(...exampleCommand(join(folder, example)), { timeout: 30_000 });
  running.child.stdin?.end(await readFile(join(folder, "test/fixtures", fixture)));
  const { stdout, stderr } = await running;
  expect(stderr).toBe("");
  return stdout;
}

test.for(examples)("the README shows %s as it is", async (example) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the summary tells what the CLI wrote", async () => {
  const turn = "I will run it.\n> Bash echo hi\nDone.\n= completed\n";
  expect(await run("examples/summary.ts", "partial-messages.ndjson")).toBe(`${turn}${turn}$ 0.0016\n`);
});

test("the check finds nothing wrong with what the CLI wrote", async () => {
  expect(await run("examples/check-frames.ts", "partial-messages.ndjson")).toBe("88 frames\n");
});
