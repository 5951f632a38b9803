import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Command } from "commander";
import { expect, test } from "vitest";
import { bashScript } from "../src/completion/bash.ts";
import { describeCommands } from "../src/completion/describe-commands.ts";
import { Context } from "../src/context.ts";
import { createProgram } from "../src/program.ts";

const script = bashScript(describeCommands(createProgram(new Context()).program));

/** What bash would offer for the last of the words. */
async function complete(...words: readonly string[]): Promise<string[]> {
  const program = `${script}\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_reins\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-uc", program, "bash", ...words], {
    cwd: import.meta.dirname,
  });
  return stdout.split("\n").filter((line) => line !== "");
}

test.for([
  [["reins", "se"], ["sessions"]],
  [["reins", "sessions", "re"], ["rename"]],
  [["reins", "sessions", "ls", "--li"], ["--limit"]],
  [
    ["reins", "sessions", "usage", "--by", ""],
    ["model", "day"],
  ],
  [["reins", "query", "-o", "st"], ["stream-json"]],
  [["reins", "frames", "bash-c"], ["bash-completion.test.ts"]],
  [["reins", "query", "--schema", "bash-c"], ["bash-completion.test.ts"]],
  [
    ["reins", "tap", ""],
    ["run", "show", "--help"],
  ],
] as const)("bash completes %j to %j", async ([words, expected]) => {
  expect(await complete(...words)).toEqual(expected);
});

test("every option of every command is described", () => {
  const described = describeCommands(createProgram(new Context()).program);
  expect(described.map(({ path }) => path)).toContain("sessions verify");
  for (const { options } of described) for (const { description } of options) expect(description).not.toBe("");
  expect(describeCommands(new Command("empty"))).toHaveLength(1);
});
