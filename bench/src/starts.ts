import { spawn } from "node:child_process";
import * as peer from "@anthropic-ai/claude-agent-sdk";
import * as own from "@reins/sdk";
import { createSandbox, findTestBinary, type Sandbox, startScriptedModel, text } from "@reins/testkit";
import { parsedLines } from "./bare-child.ts";
import { alternate, startClock } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";

/** How long the real CLI takes to start, cold and started ahead. The model is a script on loopback. */
export const startRows: readonly Row[] = [
  {
    name: "start-to-init",
    title: "The real CLI, from query() to the init message",
    measure: (effort) => coldStarts(effort, "init"),
  },
  {
    name: "start-to-message",
    title: "The real CLI, from query() to the first message of the model",
    measure: (effort) => coldStarts(effort, "assistant"),
  },
  {
    name: "warm-startup",
    title: "The real CLI, started ahead by startup(): from the prompt to the init message",
    measure: (effort) => {
      return withSandbox(({ cwd, ...options }) => {
        const start = { options: { ...options, cwd } };
        return alternate(effort, {
          "@reins/sdk": async () => {
            const warm = await own.startup(start);
            return timed(startClock(), warm.query("go"), "init");
          },
          "official SDK": async () => {
            const warm = await peer.startup(start);
            return timed(startClock(), warm.query("go"), "init");
          },
        });
      });
    },
  },
  {
    name: "warm-claim",
    title: "The real CLI, started ahead by prewarm(): from claim() to the init message",
    measure: (effort) => {
      return withSandbox(({ cwd, ...options }) => {
        const claim = { prompt: "go", options: { cwd } };
        return alternate(effort, {
          "@reins/sdk": async () => {
            const spare = await own.prewarm({ options });
            return timed(startClock(), spare.claim(claim), "init");
          },
          "official SDK": async () => {
            const spare = await peer.prewarm({ options });
            return timed(startClock(), spare.claim(claim), "init");
          },
        });
      });
    },
  },
];

/** What a start is measured up to. The init message begins the turn. */
type Milestone = "init" | "assistant";

interface Message {
  readonly type: string;
  readonly subtype?: unknown;
}

/** Ours, the official SDK, and a child that is spawned and fed by hand. */
async function coldStarts(effort: Effort, milestone: Milestone): Promise<Samples[]> {
  return await withSandbox((options, sandbox) => {
    return alternate(effort, {
      "@reins/sdk": () => timed(startClock(), own.query({ prompt: "go", options }), milestone),
      "official SDK": () => timed(startClock(), peer.query({ prompt: "go", options }), milestone),
      "bare child": () => bareChild(sandbox, milestone),
    });
  });
}

interface StartOptions {
  readonly pathToClaudeCodeExecutable: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly settingSources: [];
}

async function withSandbox(
  measure: (options: StartOptions, sandbox: Sandbox) => Promise<Samples[]>,
): Promise<Samples[]> {
  await using model = await startScriptedModel(() => text("done"));
  await using sandbox = await createSandbox({ model });
  const { cwd, env } = sandbox.spawnOptions();
  return await measure({ pathToClaudeCodeExecutable: findTestBinary(), cwd, env, settingSources: [] }, sandbox);
}

/** Reads to the end, so that no process of one round runs in the next. */
async function timed(stop: () => Cost, messages: AsyncIterable<Message>, milestone: Milestone): Promise<Cost> {
  let cost: Cost | undefined;
  for await (const message of messages) {
    if (message.type === milestone || message.subtype === milestone) cost ??= stop();
  }
  if (cost === undefined) throw new Error(`no ${milestone} message came`);
  return cost;
}

async function bareChild(sandbox: Sandbox, milestone: Milestone): Promise<Cost> {
  const stop = startClock();
  const args = ["--output-format=stream-json", "--input-format=stream-json", "--verbose", "--setting-sources="];
  const child = spawn(findTestBinary(), args, { ...sandbox.spawnOptions(), stdio: ["pipe", "pipe", "ignore"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.write('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
  child.stdin.end('{"type":"user","message":{"role":"user","content":"go"}}\n');
  const cost = await timed(stop, parsedLines<Message>(child.stdout), milestone);
  await exited;
  return cost;
}
