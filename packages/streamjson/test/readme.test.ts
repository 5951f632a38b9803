import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");

test("the README shows the examples as they are", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const shown = [...readme.matchAll(/<!-- examples\/(.+) -->\n\n```ts\n([\s\S]*?)```\n/g)].map(([, name, text]) => [
    name,
    text,
  ]);
  const names = await readdir(join(folder, "examples"));
  const sources = names.map(async (name) => [name, await readFile(join(folder, "examples", name), "utf8")]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(await Promise.all(sources)));
});

// The two that are transports run in examples.test.ts.
test("route-frames.ts hands on the frames of some types, byte for byte", async () => {
  const bin = await mkdtemp(join(tmpdir(), "reins-route-frames-"));
  onTestFinished(() => rm(bin, { recursive: true }));
  const fakeClaude = join(folder, "test/fixtures/fake-claude.mjs");
  await writeFile(join(bin, "claude"), `#!/bin/sh\nexec "${process.execPath}" "${fakeClaude}" "$@"\n`);
  await chmod(join(bin, "claude"), 0o755);
  const { stdout, stderr } = await promisify(execFile)(...exampleCommand(join(folder, "examples/route-frames.ts")), {
    env: { PATH: [bin, process.env["PATH"]].join(delimiter) },
  });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    '{ "message" : {"type":"message","content":[{"type":"text","text":"\u202810"}]} , "type" : "assistant" }',
    expect.stringMatching(/^\{"duration_ms":1,.*"type":"result"\}$/),
    "",
  ]);
});
