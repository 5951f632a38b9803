import { spawn } from "node:child_process";
import * as peer from "@anthropic-ai/claude-agent-sdk";
import * as own from "@reins/sdk";
import { createSandbox, findTestBinary, type Sandbox, startScriptedModel, text } from "@reins/testkit";
import { alternate, type Cost, type Samples, startClock } from "./measure.ts";

/** What a start is measured up to: the init message, with which the turn begins, or the first message of the model. */
export type Milestone = "init" | "assistant";

interface Message {
  readonly type: string;
  readonly subtype?: unknown;
}

/**
 * How long the real CLI takes from the call of `query()` to a milestone: ours, the official SDK, and a child that is spawned and fed by
 * hand. The model is a script on loopback.
 */
export async function coldStarts(rounds: number, milestone: Milestone): Promise<Samples[]> {
  return await withSandbox(async (options, sandbox) => {
    return await alternate(rounds, {
      "@reins/sdk": () => timed(startClock(), own.query({ prompt: "go", options }), milestone),
      "official SDK": () => timed(startClock(), peer.query({ prompt: "go", options }), milestone),
      "bare child": () => bareChild(sandbox, milestone),
    });
  });
}

/** How long it takes from a prompt for a CLI that was started ahead to the init message of its turn; the start is not counted. */
export async function warmStarts(rounds: number): Promise<Samples[]> {
  return await withSandbox(async ({ cwd, ...options }) => {
    return await alternate(rounds, {
      "startup(), ours": async () => {
        const warm = await own.startup({ options: { ...options, cwd } });
        return timed(startClock(), warm.query("go"), "init");
      },
      "official SDK": async () => {
        const warm = await peer.startup({ options: { ...options, cwd } });
        return timed(startClock(), warm.query("go"), "init");
      },
      "prewarm(), ours": async () => {
        const spare = await own.prewarm({ options });
        return timed(startClock(), spare.claim({ prompt: "go", options: { cwd } }), "init");
      },
      "official SDK ": async () => {
        const spare = await peer.prewarm({ options });
        return timed(startClock(), spare.claim({ prompt: "go", options: { cwd } }), "init");
      },
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
  const cost = await timed(stop, parsedLines(child.stdout), milestone);
  await exited;
  return cost;
}

async function* parsedLines(output: NodeJS.ReadableStream): AsyncGenerator<Message> {
  let rest = "";
  output.setEncoding("utf8");
  for await (const chunk of output) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
