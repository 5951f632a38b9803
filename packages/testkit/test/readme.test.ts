import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";
import { startLeakCheck } from "../src/index.ts";

const folder = join(import.meta.dirname, "..");
const example = "examples/one-turn.ts";

test("the README shows the example as it is", () => {
  const shown = /<!-- (.*) -->\n```ts\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"));

  expect(shown?.[1]).toBe(example);
  expect(shown?.[2]).toBe(readFileSync(join(folder, example), "utf8"));
});

test("the example runs, and prints what the README says", async () => {
  await using _leaks = startLeakCheck();
  const [command, args] = exampleCommand(join(folder, example));
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], timeout: 30_000 });
  const exit = once(child, "exit");

  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  expect({ stdout, stderr }).toEqual({ stdout: "It is 42.\nThe tool said: 6 times 7\n", stderr: "" });
  expect(await exit).toEqual([0, null]);
});
