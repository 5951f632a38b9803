// Measures what stays in memory, in a process of its own, and prints it as JSON. The CLI is an object of this process: the same one for
// both SDKs, given by the option that both have for it.
import * as peer from "@anthropic-ai/claude-agent-sdk";
import * as own from "@reins/sdk";
import { InProcessCli } from "./in-process-cli.ts";
import { liveMemory } from "./live-memory.ts";
import type { Cost } from "./row.ts";

const [contender, call, amount] = process.argv.slice(2);
const count = Number(amount);
const user: peer.SDKUserMessage = { type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null };
const query = contender === "@reins/sdk" ? own.query : peer.query;

if (call === "idle") console.log(JSON.stringify(await idle()));
else if (call === "turns") console.log(JSON.stringify(await turns()));
else console.log(JSON.stringify(await frames()));

async function idle(): Promise<Cost> {
  await (await open()).close();
  const before = liveMemory();
  const sessions = await Promise.all(Array.from({ length: count }, open));
  const after = liveMemory();
  await Promise.all(sessions.map(({ close }) => close()));
  return { "KiB of heap": kib(before, after, "heapUsed") / count, "KiB resident": kib(before, after, "rss") / count };
}

/** A session that was greeted, and waits for a prompt. */
async function open(): Promise<{ close(): Promise<void> }> {
  const cli = new InProcessCli();
  if (contender === "the CLI alone") return { close: async () => void cli.kill() };
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* prompts(): AsyncGenerator<peer.SDKUserMessage> {
    await released;
    yield user;
  }
  const session = query({ prompt: prompts(), options: optionsOf(cli) });
  await session.initializationResult();
  return {
    close: async () => {
      release();
      for await (const _ of session);
    },
  };
}

async function turns(): Promise<Cost> {
  let before: NodeJS.MemoryUsage | undefined;
  let after: NodeJS.MemoryUsage | undefined;
  let done = 0;
  let next = (): void => {};
  async function* prompts(): AsyncGenerator<peer.SDKUserMessage> {
    while (done < count) {
      const answered = new Promise<void>((resolve) => {
        next = resolve;
      });
      yield user;
      await answered;
    }
  }
  for await (const { type } of query({ prompt: prompts(), options: optionsOf(new InProcessCli()) })) {
    if (type !== "result") continue;
    done++;
    if (done === 100) before = liveMemory();
    if (done === count) after = liveMemory();
    next();
  }
  if (before === undefined || after === undefined) throw new Error(`${done} of ${count} turns ended`);
  return { "KiB of heap": kib(before, after, "heapUsed"), "KiB resident": kib(before, after, "rss") };
}

async function frames(): Promise<Cost> {
  let before: NodeJS.MemoryUsage | undefined;
  let seen = 0;
  const started = performance.now();
  for await (const { type } of query({ prompt: "go", options: optionsOf(new InProcessCli(count)) })) {
    if (type !== "stream_event") continue;
    seen++;
    if (seen === count / 10) before = liveMemory();
  }
  const seconds = (performance.now() - started) / 1000;
  if (before === undefined || seen !== count) throw new Error(`${seen} of ${count} frames came`);
  const after = liveMemory();
  return {
    "KiB of heap": kib(before, after, "heapUsed"),
    "KiB resident": kib(before, after, "rss"),
    "MB at most": (process.resourceUsage().maxRSS * 1024) / 1e6,
    seconds,
  };
}

function optionsOf(cli: InProcessCli): {
  spawnClaudeCodeProcess: () => InProcessCli;
  pathToClaudeCodeExecutable: string;
} {
  return { spawnClaudeCodeProcess: () => cli, pathToClaudeCodeExecutable: "claude" };
}

function kib(before: NodeJS.MemoryUsage, after: NodeJS.MemoryUsage, what: "heapUsed" | "rss"): number {
  return (after[what] - before[what]) / 1024;
}
