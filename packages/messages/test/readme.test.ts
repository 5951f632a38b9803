import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const example = "examples/summary.ts";

test("the README shows the example as it is", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the example runs on what the CLI wrote", async () => {
  const argv = ["--conditions=@reins/source", "--import=tsx", join(folder, example)];
  const running = promisify(execFile)(process.execPath, argv, { timeout: 30_000 });
  running.child.stdin?.end(await readFile(join(folder, "test/fixtures/partial-messages.ndjson")));
  const { stdout, stderr } = await running;
  expect(stderr).toBe("");
  const turn = "I will run it.\n> Bash echo hi\nDone.\n= completed\n";
  expect(stdout).toBe(`${turn}${turn}$ 0.0016\n`);
});
