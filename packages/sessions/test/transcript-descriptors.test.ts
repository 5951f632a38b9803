import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createConfig, idOf, user } from "./transcripts/config.ts";

/** Lists in a child whose limit on open files is 256. */
async function countInChild(configDir: string, module: string): Promise<number> {
  const command = 'ulimit -n 256 && exec "$0" --conditions=@reins/source --import=tsx --input-type=module --eval "$1"';
  const source = `import { listSessions } from ${JSON.stringify(module)}; console.log((await listSessions()).length)`;
  const env = { PATH: process.env["PATH"], CLAUDE_CONFIG_DIR: configDir };
  const options = { env, cwd: import.meta.dirname, timeout: 50_000 };
  const { stdout } = await promisify(execFile)("sh", ["-c", command, process.execPath, source], options);
  return Number(stdout);
}

test("2,000 sessions at 256 descriptors are 2,000", async () => {
  using config = createConfig();
  for (let index = 0; index < 2_000; index++) {
    config.write(`/home/user/${index % 3}`, idOf(index), [user("u1", null, `session ${index}`)]);
  }

  const ours = new URL("../src/index.ts", import.meta.url).href;
  expect(await countInChild(config.configDir, ours)).toBe(2_000);
  // The official SDK opens all at once and takes what fails for no session.
  const theirs = pathToFileURL(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk")).href;
  expect(await countInChild(config.configDir, theirs)).toBeLessThan(2_000);
});
