import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");
const example = "examples/over-a-channel.ts";

test.each([example, "examples/notes.ts"])("the README shows %s as it is", async (example) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

/** The lines that an example prints. */
async function run(file: string): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, file)));
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

test("the example of a channel runs", async () => {
  expect((await run(example)).map((line) => JSON.parse(line))).toEqual([
    { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "calc", version: "1.0.0" } },
    { content: [{ type: "text", text: "42" }] },
    {
      content: [{ type: "text", text: expect.stringMatching(/^Invalid arguments for tool add: a: .+; b: .+/) }],
      isError: true,
    },
  ]);
});

test("the example of a server that changes runs", async () => {
  expect(await run("examples/notes.ts")).toEqual([
    expect.stringContaining('"capabilities":{"tools":{"listChanged":true},"logging":{},"resources":{},"prompts":{}}'),
    "add: 1 of 1",
    "notifications/message",
    JSON.stringify({
      content: [
        { type: "text", text: "Added:" },
        { type: "text", text: '["today","tomorrow"]' },
      ],
    }),
    '{"contents":[{"uri":"notes://today","text":"Water the plants."}]}',
    "notifications/tools/list_changed",
    '{"content":[{"type":"text","text":"Cleared."}]}',
  ]);
});
