import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");

test.each(["keep-sessions.ts", "conformance-node-test.ts"])("the README shows %s as it is", async (name) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const example = await readFile(join(folder, "examples", name), "utf8");
  expect(readme).toContain(`<!-- examples/${name} -->\n\`\`\`ts\n${example}\`\`\`\n`);
});

test("the example of a store runs", async () => {
  const { stdout, stderr } = await runNode(["examples/keep-sessions.ts"]);
  expect(stderr).toBe("");
  expect(stdout).toBe("true: A first try, began with Hello\n2 entries, in order\n");
});

test("the suite runs in node:test, where each skip shows its reason", async () => {
  const { stdout } = await runNode(["--test", "--test-reporter=tap", "examples/conformance-node-test.ts"]);
  expect(stdout).toMatch(/^ *ok \d+ - retry-stores-once: .*$/m);
  expect(stdout).toMatch(/^ *ok \d+ - crash: .* # SKIP the factory cannot crash a store$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});

test("the suite runs in vitest, where each skip shows its reason", async () => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [vitest, "run", "--root", folder, "--config", "test/fixtures/vitest.config.mjs", "--reporter=verbose"],
    { env: { ...process.env, NO_COLOR: "1" } },
  );
  expect(stdout).toMatch(/✓ .*retry-stores-once: /);
  expect(stdout).toMatch(/↓ .*crash: .*\[the factory cannot crash a store\]/);
  expect(stdout).not.toContain("FAIL");
});

function runNode(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  // The runner of node:test tells its children by a variable that they are its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return promisify(execFile)(process.execPath, ["--conditions=@reins/source", "--import=tsx", ...args], {
    cwd: folder,
    env,
  });
}
