import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";
import { assistant, createConfig, idOf, user } from "./transcripts/config.ts";

const folder = join(import.meta.dirname, "..");

test.each(["keep-sessions.ts", "own-store.ts", "conformance-node-test.ts", "read-transcripts.ts"])(
  "the README shows %s as it is",
  async (name) => {
    const readme = await readFile(join(folder, "README.md"), "utf8");
    const example = await readFile(join(folder, "examples", name), "utf8");
    expect(readme).toContain(`<!-- examples/${name} -->\n\`\`\`ts\n${example}\`\`\`\n`);
  },
);

test("the example of a store runs", async () => {
  const { stdout, stderr } = await run("keep-sessions.ts");
  expect(stderr).toBe("");
  expect(stdout).toBe("true: A first try, began with Hello\n2 entries, in order\n");
});

test("the example of a store of one's own passes the suite", async () => {
  const { stdout, stderr } = await run("own-store.ts");
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed, \d+ skipped$/m);
});

test("the suite runs in node:test, where each skip shows its reason", async () => {
  const { stdout } = await run("conformance-node-test.ts", "--test", "--test-reporter=tap");
  expect(stdout).toMatch(/^ *ok \d+ - retry-stores-once: .*$/m);
  expect(stdout).toMatch(/^ *ok \d+ - crash: .* # SKIP the factory cannot crash a store$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});

test("the example of transcripts runs", async () => {
  using config = createConfig();
  config.write("/home/me/project", idOf(1), [
    user("u1", null, "hello there", { cwd: "/home/me/project" }),
    assistant("a1", "u1", "hi"),
  ]);

  const { stdout, stderr } = await run("read-transcripts.ts");

  expect(stderr).toBe("");
  expect(stdout).toBe(`hello there (/home/me/project): 2 messages, 0 tokens, $0\n${idOf(1)}: hello there\n`);
});

function run(example: string, ...nodeArgs: string[]): Promise<{ stdout: string; stderr: string }> {
  // The runner of node:test tells its children by a variable that they are its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return promisify(execFile)(...exampleCommand(join(folder, "examples", example), [], nodeArgs), { env });
}
