import { spawn } from "node:child_process";
import { query as peerQuery } from "@anthropic-ai/claude-agent-sdk";
import { query } from "@reins/sdk";
import { type CliScript, scriptedCliExecutable } from "@reins/testkit";
import { alternate, type Cost, type Samples, startClock } from "./measure.ts";

/** Frames of one round: small partial messages, as a model's answer brings them. */
export const frameCount = 200_000;

/**
 * How fast messages come through `query()` from a child that writes as fast as it can: ours, the official SDK, and a bare loop that splits
 * the output into lines and parses them. Measured from the first message to the result.
 */
export async function frames(rounds: number): Promise<Samples[]> {
  await using cli = await scriptedCliExecutable(script());
  // Nothing of this process's environment matters to the child.
  const env = { PATH: process.env["PATH"] };
  const options = { pathToClaudeCodeExecutable: cli.path, env };
  return await alternate(rounds, {
    "@reins/sdk": () => consume(query({ prompt: "go", options })),
    "official SDK": () => consume(peerQuery({ prompt: "go", options })),
    "bare loop": () => bareLoop(cli.path, env),
  });
}

async function consume(messages: AsyncIterable<{ readonly type: string }>): Promise<Cost> {
  let stop = (): Cost => {
    throw new Error("no message came");
  };
  let cost: Cost | undefined;
  let count = 0;
  for await (const message of messages) {
    if (count === 0) stop = startClock();
    if (message.type === "stream_event") count++;
    else if (message.type === "result") cost = stop();
  }
  return checked(cost, count);
}

/** The least that any host has to do: read, split, parse, look at the type. */
async function bareLoop(path: string, env: NodeJS.ProcessEnv): Promise<Cost> {
  const child = spawn(path, [], { env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
  child.stdin.write('{"type":"user","message":{"role":"user","content":"go"}}\n');
  let stop: (() => Cost) | undefined;
  let cost: Cost | undefined;
  let count = 0;
  let rest = "";
  child.stdout.setEncoding("utf8");
  for await (const chunk of child.stdout as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message: { readonly type?: string } = JSON.parse(line);
      if (message.type === "stream_event") {
        stop ??= startClock();
        count++;
      } else if (message.type === "result") {
        cost = stop?.();
        child.stdin.end();
      }
    }
  }
  return checked(cost, count);
}

function checked(cost: Cost | undefined, count: number): Cost {
  if (cost === undefined || count !== frameCount) throw new Error(`${count} of ${frameCount} frames came`);
  return cost;
}

function script(): CliScript {
  const session_id = "11111111-1111-4111-8111-111111111111";
  const uuid = "00000000-0000-4000-8000-000000000001";
  const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello wor" } };
  return {
    steps: [
      { do: "init" },
      { do: "read", match: { type: "user" } },
      {
        do: "write",
        frame: { type: "stream_event", event: delta, session_id, parent_tool_use_id: null, uuid },
        $times: frameCount,
      },
      {
        do: "write",
        frame: {
          type: "result",
          subtype: "success",
          is_error: false,
          duration_ms: 10,
          duration_api_ms: 5,
          num_turns: 1,
          result: "done",
          session_id,
          total_cost_usd: 0.01,
          usage: { input_tokens: 10, output_tokens: 5 },
          modelUsage: {},
          permission_denials: [],
          uuid,
        },
      },
      { do: "readEnd" },
      { do: "exit", code: 0 },
    ],
  };
}
