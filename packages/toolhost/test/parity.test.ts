import * as official from "@anthropic-ai/claude-agent-sdk";
import type { FrameValue } from "@reins/streamjson";
import { createSandbox, findTestBinary, type Sandbox, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { createSdkMcpServer, tool } from "../src/index.ts";
import { startHost } from "./host.ts";
import { defineTools, parityCalls } from "./parity-tools.ts";

/** What the model is told of a call with us, where that is meant to differ from the official SDK. The reason is behind each. */
const differing: Readonly<Record<string, unknown>> = {
  // Which argument is wrong and why, in one line in place of a list of issues as JSON behind an error code.
  "input-missing": "Invalid arguments for tool input: a: Invalid input: expected number, received undefined",
  "input-wrong":
    "Invalid arguments for tool input: a: Invalid input: expected number, received string; " +
    'c: Invalid option: expected one of "x"|"y"; d: Invalid input: expected string, received number',
  // Any value but a result is data for the model. The official SDK drops members that no result has, and refuses what is no object.
  object: [{ type: "text", text: "{}" }],
  "return-data": [{ type: "text", text: '{"a":1}' }],
  "return-text": [{ type: "text", text: "a" }],
  "return-number": [{ type: "text", text: "5" }],
  // What is an error with both is told in words for the model.
  "return-nothing": "The tool returned no result.",
  "return-null": "The tool returned no result.",
  "throw-nameless": "TypeError",
  "throw-object": '{"code":5}',
  "bad-block": expect.stringMatching(/^The tool returned a malformed result: block 0 is of the unknown type "video"/),
  "bad-content": expect.stringMatching(/^The tool returned a malformed result: its content is no list/),
  circular: expect.stringMatching(/^The tool returned a malformed result: .+ cannot be written as JSON/),
};

test("one tool file gives the same results with the official SDK and with us, but for what is meant to differ", async () => {
  const calls = parityCalls.map(([id, name, input]) => toolUse(`mcp__s__${name}`, input, `toolu_${id}`));
  await using model = await startScriptedModel(({ toolResults }) => (toolResults.length === 0 ? calls : text("Done.")));
  await using sandbox = await createSandbox({ model });
  const [theirs, ours] = [await withOfficial(sandbox), await withOurs(sandbox)];
  for (const [id] of parityCalls) {
    const [their, our] = [resultOf(theirs, id), resultOf(ours, id)];
    if (id in differing) {
      expect(our.block["content"], id).toEqual(differing[id]);
      expect(our.block["content"], `${id} does not differ any more`).not.toEqual(their.block["content"]);
    } else expect(our, id).toEqual(their);
  }

  const [theirList, ourList] = model.requests.filter(({ toolResults }) => toolResults.length === 0);
  // The draft is not named: the model has no use for it.
  expect(ourList?.body.tools).toEqual(theirList?.body.tools?.map(withoutDraft));
});

function withoutDraft(offered: Readonly<Record<string, unknown>>): unknown {
  const { $schema: _, ...schema } = offered["input_schema"] as Readonly<Record<string, unknown>>;
  return { ...offered, input_schema: schema };
}

async function withOfficial(sandbox: Sandbox): Promise<FrameValue[]> {
  // Its `tool` has types that know each schema; the file is for any `tool`.
  const tools = defineTools<never>(official.tool as never);
  const s = official.createSdkMcpServer({ name: "s", tools });
  const options: official.Options = {
    pathToClaudeCodeExecutable: findTestBinary(),
    cwd: sandbox.cwd,
    env: { ...sandbox.env },
    tools: [],
    settingSources: [],
    mcpServers: { s },
    allowedTools: ["mcp__s"],
  };
  const frames: FrameValue[] = [];
  for await (const message of official.query({ prompt: "Go.", options })) frames.push({ ...message });
  return frames;
}

async function withOurs(sandbox: Sandbox): Promise<readonly FrameValue[]> {
  // The same for ours.
  const s = createSdkMcpServer({ name: "s", tools: defineTools<never>(tool as never) });
  await using host = await startHost({ s }, sandbox, { argv: ["--tools=", "--allowedTools=mcp__s"] });
  await host.turn("Go.");
  return host.frames;
}

/** The frame with the result of a call, without what differs from run to run. */
function resultOf(frames: readonly FrameValue[], id: string): { readonly block: Record<string, unknown> } & FrameValue {
  for (const frame of frames) {
    const { content } = (frame["message"] ?? {}) as { content?: unknown };
    const block = Array.isArray(content) ? content.find(({ tool_use_id }) => tool_use_id === `toolu_${id}`) : undefined;
    if (block === undefined) continue;
    const { uuid: _u, session_id: _s, timestamp: _t, ...rest } = frame;
    // Files with long results and images have names of their own.
    return JSON.parse(
      JSON.stringify({ ...rest, block }).replaceAll(/\/[^\s"]+\/tool-results\/[^\s"]+\.(\w+)/g, "FILE.$1"),
    );
  }
  throw new Error(`No result for ${id}.`);
}
