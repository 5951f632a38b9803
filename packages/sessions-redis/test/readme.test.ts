import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startRedis } from "@reins/test-servers/redis";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");

test("the README shows the example as it is", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const example = await readFile(join(folder, "examples", "keep-sessions.ts"), "utf8");
  expect(readme).toContain(`<!-- examples/keep-sessions.ts -->\n\`\`\`ts\n${example}\`\`\`\n`);
});

test("the example runs", async () => {
  await using server = await startRedis();
  const command = exampleCommand(join(folder, "examples", "keep-sessions.ts"));
  const env = { PATH: process.env["PATH"], REDIS_URL: server.url };
  const { stdout, stderr } = await promisify(execFile)(...command, { env, timeout: 50_000 });
  expect(stderr).toBe("");
  expect(stdout).toBe('2 entries, "A first try", began with Hello\n');
});
