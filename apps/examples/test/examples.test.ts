import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";

const main = join(import.meta.dirname, "../src/main.ts");

/** What each example prints. */
const outputs: Readonly<Record<string, readonly string[]>> = {
  agents: ["Agent: reviewer", "reviewer: Line 3 divides by zero.", "Claude: The reviewer found a division by zero."],
  "custom-tool": ["The tool says: 42"],
  "filesystem-agents": ["archivist: found", "I have an archivist."],
  hooks: ["denied: rm -r notes", "ran: Bash", "The last command said: tidy"],
  interrupt: ["first turn: interrupted", "second turn: Good bye."],
  "max-budget": ["stopped by the limit: budget", "over the budget: true", "ResultError"],
  options: ["haiku, with Glob and Read", "limit-reached: error_max_turns", "ResultError"],
  "partial-messages": ["+ One, ", "+ two, ", "+ three.", "the whole message"],
  "permission-callback": [
    "allowed: touch plan.txt",
    "denied: rm -rf notes",
    "I was told: Only touch is allowed here.",
    "denials in the result: 1",
  ],
  plugin: ["the plugin is loaded", "Hello, Ada!"],
  query: ["Claude: 2 + 2 is 4.", "success after 1 turn"],
  sessions: [
    "It was 7, as you said 3 messages ago.",
    "Numbers (example), began with: Remember the number 7.",
    "sessions here: 1",
    "- user",
    "- assistant",
    "- user",
    "- assistant",
  ],
  "setting-sources": ["no settings: I do not know.", "project: It is red."],
  stderr: ["Hello.", "and debug lines beside it"],
  "streaming-mode": ["You said: First.", "You said: Second.", "You said: Third."],
  "structured-output": ["apples and pears: 7.50"],
  "system-prompt": [
    "a text: Arr. My system prompt is short.",
    "that of Claude Code and more: Arr. My system prompt is long.",
  ],
  thinking: ["thinks: 27 is 3 times 9, so it is not prime.", "says: 27 is not prime."],
  "tools-option": ["two of them: Grep, Read", "all of them: more than five"],
};

test("each prints what it shows, offline", { timeout: 300_000 }, async () => {
  await using _leaks = startLeakCheck();
  const waiting = Object.keys(outputs);
  const printed: Record<string, readonly string[]> = {};
  const runSome = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) printed[name] = await run(name);
  };
  // Not all at once: a CLI takes about 300 MB.
  await Promise.all([runSome(), runSome(), runSome()]);
  expect(printed).toEqual(outputs);
});

/** Gives the lines of both outputs. */
async function run(name: string): Promise<readonly string[]> {
  const options = { timeout: 110_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import=tsx", main, name], options);
  return `${stdout}${stderr}`.split("\n").slice(0, -1);
}

test("an unknown name gets the list of those that are known", async () => {
  const failure = promisify(execFile)(process.execPath, ["--import=tsx", main, "constructor"]);
  const usage = `Usage: npm start EXAMPLE [-- --live]\nExamples: ${Object.keys(outputs).join(", ")}\n`;
  await expect(failure).rejects.toMatchObject({ code: 2, stdout: "", stderr: usage });
});

test("Ctrl-C in a turn ends the program by the signal, and nothing is left", async () => {
  await using _leaks = startLeakCheck();
  const program = `
    import { query } from "@reins/sdk";
    import { openPlace } from "./src/place.ts";
    const place = await openPlace([{ hold: new Promise(() => {}) }]);
    try {
      for await (const message of query({ prompt: "Wait.", options: place.options })) console.log(message.type);
    } finally {
      await place[Symbol.asyncDispose]();
    }`;
  const child = spawn(process.execPath, ["--import=tsx", "--input-type=module", "-e", program], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 50_000,
  });
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  child.kill("SIGINT");
  expect(await exit).toEqual([null, "SIGINT"]);
});
