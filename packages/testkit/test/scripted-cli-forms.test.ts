import { describe, expect, test } from "vitest";
import { scriptedCliExecutable } from "../src/scripted-cli/executable.ts";
import type { CliLog } from "../src/scripted-cli/log.ts";
import type { CliStep } from "../src/scripted-cli/script.ts";
import { scriptedCli } from "../src/scripted-cli/scripted-cli.ts";
import { type HostPlan, type HostView, playHost, spawnTransport } from "./scripted-cli-host.ts";

const files = { "some.ndjson": '{"type":"from_file","t":"ü"}\n' };
const user = { type: "user", message: { role: "user", content: "hi" } };
const result = { type: "result", subtype: "success", result: "You said {{prompt.message.content}}" };

/** Scripts that use every step that both forms have. */
const scripts: {
  title: string;
  steps: CliStep[];
  plan?: Partial<HostPlan>;
  ends: { frames: number; code?: number | null; signal?: string; stderrTail?: string };
}[] = [
  {
    title: "a turn with a permission question and a hook",
    ends: { frames: 5 },
    steps: [
      { do: "trap", signals: ["SIGTERM"], exitCode: 143 },
      { do: "init", response: { commands: [] } },
      { do: "read", match: { type: "user" }, as: "prompt" },
      {
        do: "write",
        frame: { type: "control_request", request_id: "p1", request: { subtype: "can_use_tool", input: {} } },
      },
      {
        do: "write",
        frame: {
          type: "control_request",
          request_id: "h1",
          request: { subtype: "hook_callback", callback_id: "{{init.request.hooks.Stop.0.hookCallbackIds.0}}" },
        },
      },
      // Late, and not in the order of the questions.
      { do: "read", match: { type: "control_response", "response.request_id": "h1" } },
      { do: "read", match: { type: "control_response", "response.request_id": "p1" }, as: "p1" },
      { do: "write", frame: { type: "echo", of: "{{p1.response}}" } },
      { do: "write", frame: result },
      { do: "readEnd", ms: 10_000 },
      { do: "exit", code: 0 },
    ],
    plan: { initialize: { hooks: { Stop: [{ hookCallbackIds: ["my-hook"] }] } } },
  },
  {
    title: "frames of every make",
    ends: { frames: 1007, stderrTail: "warning\nwarning\n" },
    steps: [
      { do: "text", text: "\n" },
      { do: "chunked", frame: { type: "x", t: "äöü€😀\u2028" }, size: 1 },
      { do: "file", path: "some.ndjson", size: 3 },
      { do: "write", frame: { type: "many", t: { $repeat: { text: "ab", count: 500_000 } } }, $times: 3 },
      { do: "write", frame: { type: "tiny" }, $times: 1000 },
      { do: "stderr", text: "warning\n", $times: 2 },
      { do: "wait", ms: 1 },
      { do: "noInput", ms: 1 },
      { do: "init" },
      { do: "read", match: { type: "user" }, as: "prompt" },
      { do: "write", frame: result },
      { do: "readEnd" },
    ],
  },
  {
    title: "an error result in place of the initialize answer",
    ends: { frames: 1, code: 1, stderrTail: "No conversation found\n" },
    steps: [
      { do: "read", match: { type: "control_request", "request.subtype": "initialize" } },
      { do: "read", match: { type: "user" } },
      { do: "write", frame: { subtype: "error_during_execution", is_error: true, type: "result" } },
      { do: "stderr", text: "No conversation found\n" },
      { do: "exit", code: 1 },
    ],
  },
  {
    title: "a late answer to initialize, twice",
    ends: { frames: 3 },
    steps: [
      { do: "read", match: { "request.subtype": "initialize" }, as: "i" },
      { do: "read", match: { type: "user" }, as: "prompt" },
      { do: "wait", ms: 20 },
      {
        do: "write",
        frame: { type: "control_response", response: { subtype: "success", request_id: "{{i.request_id}}" } },
        $times: 2,
      },
      { do: "write", frame: result },
      { do: "readEnd" },
    ],
  },
  {
    title: "the output ends with a question pending",
    ends: { frames: 1, code: 143 },
    steps: [
      { do: "read", match: { type: "user" } },
      { do: "write", frame: { type: "control_request", request_id: "p1", request: { subtype: "can_use_tool" } } },
      { do: "read", match: { type: "control_response" } },
      { do: "endOutput" },
      { do: "write", frame: { type: "lost" } },
      { do: "exit", code: 143 },
    ],
  },
  {
    title: "a death by signal",
    ends: { frames: 1, code: null, signal: "SIGKILL" },
    steps: [
      { do: "read", match: { type: "user" } },
      { do: "write", frame: { type: "x" } },
      { do: "exit", signal: "SIGKILL" },
    ],
  },
  {
    title: "a script that cannot be followed",
    ends: { frames: 1, code: 70, stderrTail: expect.stringContaining('is "hi", not') },
    steps: [{ do: "init" }, { do: "read", match: { type: "user" }, expect: { "message.content": "something else" } }],
  },
];

async function inMemory(steps: CliStep[], plan: HostPlan): Promise<{ view: HostView; log: CliLog }> {
  await using cli = scriptedCli({ steps }, { files });
  const view = await playHost(cli.transport, plan);
  return { view, log: await cli.log() };
}

async function asProcess(steps: CliStep[], plan: HostPlan): Promise<{ view: HostView; log: CliLog }> {
  await using cli = await scriptedCliExecutable({ steps }, { files });
  const view = await playHost(spawnTransport(cli.path).transport, plan);
  return { view, log: await cli.log() };
}

describe("both forms of a scripted CLI", () => {
  test.each(scripts)("hold the same conversation: $title", async ({ steps, plan, ends }) => {
    const wholePlan = { messages: [user], ...plan };

    const memory = await inMemory(steps, wholePlan);
    const process = await asProcess(steps, wholePlan);

    expect(process.view).toEqual(memory.view);
    expect(process.log.frames).toEqual(memory.log.frames);
    expect(process.log.failure).toBe(memory.log.failure);
    expect({ ...memory.view, frames: memory.view.frames.length }).toEqual({
      code: 0,
      signal: null,
      stderrTail: "",
      ...ends,
    });
  });
});
