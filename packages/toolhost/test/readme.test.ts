import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const example = "examples/over-a-channel.ts";

test("the README shows the example as it is", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the example runs", async () => {
  const argv = ["--conditions=@reins/source", "--import=tsx", join(folder, example)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv);
  expect(stderr).toBe("");
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "calc", version: "1.0.0" } },
    { content: [{ type: "text", text: "42" }] },
    {
      content: [{ type: "text", text: expect.stringMatching(/^Invalid arguments for tool add: a: .+; b: .+/) }],
      isError: true,
    },
  ]);
});
