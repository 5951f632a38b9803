import * as peer from "@anthropic-ai/claude-agent-sdk";
import * as own from "@reins/sdk";
import { type CliScript, type CliStep, scriptedCliExecutable } from "@reins/testkit";
import { z } from "zod";
import { startBareChild } from "./bare-child.ts";
import { alternate, startClock } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";
import { streamEvent, result as turnResult } from "./scripts.ts";

/**
 * What calls of an in-process tool cost the host: the same tool under `createSdkMcpServer` and `query()` of ours and of the official SDK.
 * Measured from the first call to the last answer, in a child that only writes calls and reads answers.
 */
export const toolRows: readonly Row[] = [
  row("tool-call", { title: "1,000 tool calls, one after the other", batches: 1_000, parallel: 1, resultLength: 10 }),
  row("tool-calls-at-once", { title: "20 times 100 tool calls at once", batches: 20, parallel: 100, resultLength: 10 }),
  row("tool-result-5mb", {
    title: "20 tool calls with results of 5 MB",
    batches: 20,
    parallel: 1,
    resultLength: 5_000_000,
  }),
];

/** What the CLI asks of a tool in one round. */
interface ToolLoad {
  readonly title: string;
  /** How often the calls are made. */
  readonly batches: number;
  /** Calls that are made at once, before any is answered. */
  readonly parallel: number;
  /** Characters of the text that a call gives back. */
  readonly resultLength: number;
}

function row(name: string, load: ToolLoad): Row {
  return { name, title: load.title, measure: (effort) => toolCalls(load, effort) };
}

async function toolCalls(load: ToolLoad, effort: Effort): Promise<Samples[]> {
  await using cli = await scriptedCliExecutable(script(load));
  // Nothing of this process's environment matters to the child.
  const options = { pathToClaudeCodeExecutable: cli.path, env: { PATH: process.env["PATH"] } };
  const result = { content: [{ type: "text" as const, text: "x".repeat(load.resultLength) }] };
  const shape = { text: z.string() };
  const ownServer = own.createSdkMcpServer({ name: "s", tools: [own.tool("t", "", shape, async () => result)] });
  return await alternate(effort, {
    "@reins/sdk": () => consume(own.query({ prompt: "go", options: { ...options, mcpServers: { s: ownServer } } })),
    "official SDK": () => {
      // An instance of the MCP SDK serves one session.
      const s = peer.createSdkMcpServer({ name: "s", tools: [peer.tool("t", "", shape, async () => result)] });
      return consume(peer.query({ prompt: "go", options: { ...options, mcpServers: { s } } }));
    },
    "bare loop": () => bareLoop(cli.path, result),
  });
}

async function consume(messages: AsyncIterable<{ readonly type: string }>): Promise<Cost> {
  let stop: (() => Cost) | undefined;
  let cost: Cost | undefined;
  for await (const message of messages) {
    if (message.type === "stream_event") stop = startClock();
    else if (message.type === "result") cost = stop?.();
  }
  if (cost === undefined) throw new Error("the calls did not come to their end");
  return cost;
}

/** The least that any host has to do: parse, run the tool, write what it gave. */
async function bareLoop(path: string, result: object): Promise<Cost> {
  const child = startBareChild<BareFrame>(path);
  const answer = async (request_id: string, { id, params }: CallMessage): Promise<void> => {
    const given = await handle(params.arguments, result);
    const response = { mcp_response: { jsonrpc: "2.0", id, result: given } };
    child.write({ type: "control_response", response: { subtype: "success", request_id, response } });
  };
  let stop: (() => Cost) | undefined;
  let cost: Cost | undefined;
  for await (const frame of child.frames) {
    if (frame.type === "control_request") void answer(frame.request_id, frame.request.message);
    else if (frame.type === "stream_event") stop = startClock();
    else if (frame.type === "result") {
      cost = stop?.();
      child.end();
    }
  }
  if (cost === undefined) throw new Error("the calls did not come to their end");
  return cost;
}

interface CallMessage {
  readonly id: number;
  readonly params: { readonly arguments?: unknown };
}

type BareFrame =
  | {
      readonly type: "control_request";
      readonly request_id: string;
      readonly request: { readonly message: CallMessage };
    }
  | { readonly type: "stream_event" | "result" | "control_response" };

async function handle(_: unknown, result: object): Promise<object> {
  return result;
}

function script({ batches, parallel }: ToolLoad): CliScript {
  const calls = Array.from({ length: batches }, (_, batch) =>
    Array.from({ length: parallel }, (_each, index) => batch * parallel + index + 1),
  );
  return {
    steps: [
      { do: "init" },
      { do: "read", match: { type: "user" } },
      ...call(0, "initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      }),
      // The begin and the end of what is measured.
      { do: "write", frame: streamEvent },
      ...calls.flatMap((ids) => {
        const steps = ids.map((id) => call(id, "tools/call", { name: "t", arguments: { text: "hello" } }));
        return [...steps.map(([write]) => write), ...steps.map(([, read]) => read)];
      }),
      { do: "write", frame: turnResult },
      { do: "readEnd" },
      { do: "exit", code: 0 },
    ],
  };
}

/** A message to the server, and the answer to it. */
function call(id: number, method: string, params: Readonly<Record<string, unknown>>): [CliStep, CliStep] {
  const request_id = `call-${id}`;
  const request = {
    subtype: "mcp_message",
    server_name: "s",
    message: { jsonrpc: "2.0", id, method, params: { ...params, _meta: { "claudecode/toolUseId": `toolu_${id}` } } },
  };
  const match = { type: "control_response", "response.request_id": request_id };
  const response = "response.response.mcp_response";
  const expect = {
    [`${response}.id`]: id,
    ...(method === "tools/call" && { [`${response}.result.content.0.type`]: "text" }),
  };
  return [
    { do: "write", frame: { type: "control_request", request_id, request } },
    { do: "read", match, expect },
  ];
}
