import { readFile } from "node:fs/promises";
import type { FrameValue } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { scriptedCliExecutable } from "../src/scripted-cli/executable.ts";
import { type CaptureEntry, replayScript } from "../src/scripted-cli/replay.ts";
import { scriptedCli } from "../src/scripted-cli/scripted-cli.ts";
import { type HostPlan, playHost, spawnTransport } from "./scripted-cli-host.ts";

const message = (content: string, uuid?: string): FrameValue => ({
  type: "user",
  message: { role: "user", content },
  ...(uuid === undefined ? {} : { uuid }),
});

/** An MCP server of few words, as a host would answer for it. */
function answerMcp({ request }: FrameValue): FrameValue | undefined {
  // The shape of the frames in mcp-sdk-tool.ndjson.
  const { subtype, message } = request as { subtype: string; message: { id?: number; method: string } };
  if (subtype !== "mcp_message") return undefined;
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "calc", version: "1" } },
    "tools/list": { tools: [] },
    "tools/call": { content: [{ type: "text", text: "5" }] },
  };
  return { mcp_response: { jsonrpc: "2.0", id: message.id, result: results[message.method] ?? {} } };
}

/** Each recorded conversation, and a host that leads it with ids of its own. */
const conversations: { name: string; plan: HostPlan; says: string[] }[] = [
  {
    name: "plain-two-turns",
    plan: { messages: [message("one", "uuid-of-mine"), message("two")] },
    says: ["Reply 1", "Reply 2"],
  },
  { name: "permission-allow", plan: { messages: [message("go")] }, says: ["Finished."] },
  {
    name: "mcp-sdk-tool",
    plan: { messages: [message("go")], initialize: { sdkMcpServers: ["calc"] }, answer: answerMcp },
    says: ["The sum is 5."],
  },
  {
    name: "hook-pretooluse-allow",
    plan: {
      messages: [message("go")],
      initialize: { hooks: { PreToolUse: [{ hookCallbackIds: ["hook-of-mine"] }] } },
      answer: () => ({}),
    },
    says: ["Finished."],
  },
  {
    name: "interrupt-mid-stream",
    plan: {
      messages: [message("go", "uuid-of-mine"), message("again")],
      onFrame: (frame) =>
        JSON.stringify(frame).includes("word5 ") && frame.type === "stream_event"
          ? { type: "control_request", request_id: "interrupt-of-mine", request: { subtype: "interrupt" } }
          : undefined,
    },
    says: ["word0 word1 word2 word3 word4 word5 ", "After."],
  },
  {
    name: "interrupt-during-permission",
    plan: {
      messages: [message("go"), message("again")],
      onFrame: (frame) =>
        frame.type === "control_request"
          ? { type: "control_request", request_id: "interrupt-of-mine", request: { subtype: "interrupt" } }
          : undefined,
    },
    says: ["After."],
  },
];

function textsOf(frames: readonly FrameValue[]): string[] {
  return frames.flatMap((frame) => {
    if (frame.type !== "assistant") return [];
    // The shape of an assistant frame of CLI 2.1.328.
    const { content } = frame["message"] as { content: { text?: string }[] };
    return content.flatMap((block) => (block.text === undefined ? [] : [block.text]));
  });
}

describe("a recorded conversation", () => {
  test.each(conversations)("is led by another host: $name", async ({ name, plan, says }) => {
    const text = await readFile(new URL(`fixtures/captures/${name}.ndjson`, import.meta.url), "utf8");
    const recorded = text
      .trim()
      .split("\n")
      .map((line): CaptureEntry => JSON.parse(line))
      .filter((entry) => entry.dir === "in")
      .map((entry) => entry.frame);
    const script = replayScript(text);

    await using memory = scriptedCli(script);
    const view = await playHost(memory.transport, plan);
    await using executable = await scriptedCliExecutable(script);
    const viewOfProcess = await playHost(spawnTransport(executable.path).transport, plan);

    expect((await memory.log()).failure).toBeUndefined();
    expect(view).toMatchObject({ code: 0, stderrTail: "" });
    expect(viewOfProcess).toEqual(view);
    expect(textsOf(view.frames)).toEqual(says);
    expect(view.frames.map((frame) => [frame.type, frame.subtype])).toEqual(
      recorded.map((frame) => [frame.type, frame.subtype]),
    );
    // Ids of the host are its own throughout; nothing else differs.
    const written = JSON.stringify(view.frames);
    expect(written).not.toMatch(/"req_\d"|"hook_0"/);
    expect(written.includes("uuid-of-mine")).toBe(JSON.stringify(plan.messages).includes("uuid-of-mine"));
    expect(written.includes("hook-of-mine")).toBe(name === "hook-pretooluse-allow");
  });
});
