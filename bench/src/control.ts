import * as peer from "@anthropic-ai/claude-agent-sdk";
import * as own from "@reins/sdk";
import { type CliStep, scriptedCliExecutable } from "@reins/testkit";
import { startBareChild } from "./bare-child.ts";
import { alternate, startClock } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";
import { result, streamEvent } from "./scripts.ts";

/** What requests over the control channel cost the host, in both directions, one after the other. */
export const controlRows: readonly Row[] = [
  {
    name: "control-round-trip",
    title: "10,000 control requests of the host, each answered before the next",
    measure: roundTrips,
  },
  {
    name: "hook-callback",
    title: "10,000 PreToolUse callbacks, each answered before the next",
    measure: hookCallbacks,
  },
];

/** Enough that what is measured is compiled code, and not its compiler. */
function countFor({ quick }: Effort): number {
  return quick ? 1_000 : 10_000;
}

const user: CliStep = { do: "read", match: { type: "user" } };
const end: readonly CliStep[] = [{ do: "write", frame: result }, { do: "readEnd" }, { do: "exit", code: 0 }];

async function roundTrips(effort: Effort): Promise<Samples[]> {
  const count = countFor(effort);
  const match = { type: "control_request", "request.subtype": "set_permission_mode" };
  const response = { subtype: "success", request_id: "{{asked.request_id}}", response: {} };
  const steps = Array.from({ length: count }, (): CliStep[] => [
    { do: "read", match, as: "asked" },
    { do: "write", frame: { type: "control_response", response } },
  ]).flat();
  await using cli = await scriptedCliExecutable({ steps: [{ do: "init" }, ...steps, user, ...end] });
  const options = optionsOf(cli.path);
  const setModes = (query: typeof own.query | typeof peer.query) => async (): Promise<Cost> => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* prompts(): AsyncGenerator<peer.SDKUserMessage> {
      await released;
      yield { type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null };
    }
    const session = query({ prompt: prompts(), options });
    await session.initializationResult();
    const stop = startClock();
    for (let i = 0; i < count; i++) await session.setPermissionMode("default");
    const cost = each(stop(), count);
    release();
    for await (const _ of session);
    return cost;
  };
  return await alternate(effort, {
    "@reins/sdk": setModes(own.query),
    "official SDK": setModes(peer.query),
    "bare loop": async () => {
      const child = startBareChild<{ readonly type: string }>(cli.path);
      const ask = (): void => {
        const request = { subtype: "set_permission_mode", mode: "default" };
        child.write({ type: "control_request", request_id: crypto.randomUUID(), request });
      };
      let answers = 0;
      let cost: Cost | undefined;
      let stop = startClock();
      for await (const { type } of child.frames) {
        if (type === "result") child.end();
        else if (type === "control_response") {
          // The first one answers the initialize request.
          if (answers++ === 0) stop = startClock();
          if (answers <= count) ask();
          else cost ??= each(stop(), count);
        }
      }
      return checked(cost);
    },
  });
}

async function hookCallbacks(effort: Effort): Promise<Samples[]> {
  const count = countFor(effort);
  const request = {
    subtype: "hook_callback",
    callback_id: "{{init.request.hooks.PreToolUse.0.hookCallbackIds.0|none}}",
    tool_use_id: "toolu_1",
    input: {
      hook_event_name: "PreToolUse",
      session_id: streamEvent.session_id,
      transcript_path: "/tmp/t.jsonl",
      cwd: "/tmp",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "toolu_1",
    },
  };
  const calls = Array.from({ length: count }, (_, index): CliStep[] => {
    const request_id = `hook-${index}`;
    return [
      { do: "write", frame: { type: "control_request", request_id, request } },
      {
        do: "read",
        match: { type: "control_response", "response.request_id": request_id },
        expect: { "response.subtype": "success" },
      },
    ];
  }).flat();
  const begin: CliStep = { do: "write", frame: streamEvent };
  await using cli = await scriptedCliExecutable({ steps: [{ do: "init" }, user, begin, ...calls, ...end] });
  const hook = async (): Promise<{ continue: boolean }> => ({ continue: true });
  const options = { ...optionsOf(cli.path), hooks: { PreToolUse: [{ hooks: [hook] }] } };
  return await alternate(effort, {
    "@reins/sdk": () => untilResult(count, own.query({ prompt: "go", options })),
    "official SDK": () => untilResult(count, peer.query({ prompt: "go", options })),
    "bare loop": () => {
      const child = startBareChild<{ readonly type: string; readonly request_id: string }>(cli.path);
      async function* answered(): AsyncGenerator<{ readonly type: string }> {
        for await (const frame of child.frames) {
          yield frame;
          if (frame.type === "result") child.end();
          if (frame.type !== "control_request") continue;
          const response = { subtype: "success", request_id: frame.request_id, response: await hook() };
          child.write({ type: "control_response", response });
        }
      }
      return untilResult(count, answered());
    },
  });
}

/** From the frame that begins what is measured to the result. */
async function untilResult(count: number, messages: AsyncIterable<{ readonly type: string }>): Promise<Cost> {
  let stop: ReturnType<typeof startClock> | undefined;
  let cost: Cost | undefined;
  for await (const { type } of messages) {
    if (type === "stream_event") stop = startClock();
    else if (type === "result" && stop !== undefined) cost = each(stop(), count);
  }
  return checked(cost);
}

function each({ ms, "ms CPU": cpuMs }: ReturnType<ReturnType<typeof startClock>>, count: number): Cost {
  return { "µs each": (ms * 1000) / count, "µs CPU each": (cpuMs * 1000) / count };
}

function checked(cost: Cost | undefined): Cost {
  if (cost === undefined) throw new Error("the session did not come to its end");
  return cost;
}

function optionsOf(path: string): { pathToClaudeCodeExecutable: string; env: Record<string, string | undefined> } {
  // Nothing of this process's environment matters to the child.
  return { pathToClaudeCodeExecutable: path, env: { PATH: process.env["PATH"] } };
}
