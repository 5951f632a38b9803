import { spawn } from "node:child_process";
import { once } from "node:events";
import { decodeFrames, FrameWriter } from "@reins/streamjson";
import {
  createSandbox,
  findTestBinary,
  type Sandbox,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { expect, test } from "vitest";
import { z } from "zod";
import { createToolServer, type JsonRpcMessage, type ToolServer, tool } from "../src/index.ts";

const argv = [
  "--output-format=stream-json",
  "--verbose",
  "--input-format=stream-json",
  "--tools=",
  "--setting-sources=",
  "--allowedTools=mcp__s",
];

interface Conversation {
  /** Blocks of the user messages: the results of tools, as the model gets them. */
  readonly blocks: readonly { readonly tool_use_id?: string; readonly [field: string]: unknown }[];
  /** Methods that the CLI sent to the server, in order. */
  readonly methods: readonly (string | undefined)[];
  readonly outcome: unknown;
}

/**
 * One turn with the real CLI, whose host does nothing but hand MCP messages to a server.
 *
 * @param options.interrupt Interrupts the turn when it resolves.
 */
async function converse(
  server: ToolServer,
  sandbox: Sandbox,
  { interrupt }: { interrupt?: Promise<unknown> } = {},
): Promise<Conversation> {
  // Without an end, the conversation would keep the child beyond the test's own timeout.
  const child = spawn(findTestBinary(), argv, { ...sandbox.spawnOptions(), timeout: 30_000, killSignal: "SIGKILL" });
  const exited = once(child, "exit");
  const writer = new FrameWriter(child.stdin);
  const session = server.connect((message) => {
    void writer.write({
      type: "control_request",
      request_id: crypto.randomUUID(),
      request: { subtype: "mcp_message", server_name: "s", message },
    });
  });
  const answer = async (request_id: unknown, message: JsonRpcMessage): Promise<void> => {
    const mcp_response = (await session.handle(message)) ?? { jsonrpc: "2.0", result: {}, id: 0 };
    await writer.write({
      type: "control_response",
      response: { subtype: "success", request_id, response: { mcp_response } },
    });
  };
  const blocks: Conversation["blocks"][number][] = [];
  const methods: (string | undefined)[] = [];
  let outcome: unknown;
  const answers: Promise<void>[] = [];
  try {
    await writer.write({
      type: "control_request",
      request_id: "1",
      request: { subtype: "initialize", sdkMcpServers: ["s"] },
    });
    await writer.write({ type: "user", message: { role: "user", content: "Go." } });
    const interrupted = interrupt?.then(() =>
      writer.write({ type: "control_request", request_id: "2", request: { subtype: "interrupt" } }),
    );
    for await (const { value } of decodeFrames(child.stdout)) {
      if (value.type === "control_request") {
        // Nothing but MCP messages is asked of this host.
        const { request_id, request } = value as unknown as {
          request_id: string;
          request: { message: JsonRpcMessage };
        };
        methods.push(request.message.method);
        answers.push(answer(request_id, request.message));
      }
      if (value.type === "user") {
        const { content } = value["message"] as { content: Conversation["blocks"] | string };
        if (typeof content !== "string") blocks.push(...content);
      }
      if (value.type === "result") {
        outcome = value;
        await interrupted;
        await Promise.all(answers);
        await writer.end();
      }
    }
    return { blocks, methods, outcome };
  } finally {
    session.close();
    child.kill("SIGKILL");
    await exited;
  }
}

/** A PNG of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("the real CLI lists and calls the tools, in two sessions with one server at once", async () => {
  const server = createToolServer({
    name: "s",
    instructions: "Tools for tests.",
    tools: [
      tool("add", "Adds.", { a: z.number(), b: z.number() }, ({ a, b }, { notify, progressToken }) => {
        notify("notifications/progress", { progressToken, progress: 1 });
        return String(a + b);
      }),
      tool("fail", "Fails.", {}, () => {
        throw new Error("out of order");
      }),
      tool("nothing", "Returns nothing.", {}, (() => undefined) as never),
      tool("draw", "Draws.", {}, () => ({ content: [{ type: "image", data: pixel, mimeType: "image/png" }] })),
      tool("data", "Gives data.", {}, () => ({ content: [], structuredContent: { a: 1 } })),
      tool("long", "Talks.", {}, () => "x".repeat(300_000), { maxResultSizeChars: 500_000 }),
      tool("whose", "Tells the id.", {}, (_, { toolUseId = "none" }) => toolUseId),
    ],
  });
  const calls = [
    toolUse("mcp__s__add", { a: 2, b: 40 }, "toolu_add"),
    toolUse("mcp__s__add", { a: "two" }, "toolu_bad"),
    toolUse("mcp__s__fail", {}, "toolu_fail"),
    toolUse("mcp__s__nothing", {}, "toolu_nothing"),
    toolUse("mcp__s__draw", {}, "toolu_draw"),
    toolUse("mcp__s__data", {}, "toolu_data"),
    toolUse("mcp__s__long", {}, "toolu_long"),
    toolUse("mcp__s__whose", {}, "toolu_whose"),
  ];
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ toolResults }) => (toolResults.length === 0 ? calls : text("Done.")));
  await using sandbox = await createSandbox({ model });
  const sessions = await Promise.all([converse(server, sandbox), converse(server, sandbox)]);
  for (const { blocks, methods, outcome } of sessions) {
    expect(outcome).toMatchObject({ subtype: "success", result: "Done." });
    expect(methods.slice(0, 3)).toEqual(["initialize", "notifications/initialized", "tools/list"]);
    const result = (id: string): unknown => blocks.find(({ tool_use_id }) => tool_use_id === id);
    expect(result("toolu_add")).toMatchObject({ content: [{ type: "text", text: "42" }] });
    expect(result("toolu_bad")).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/^Invalid arguments for tool add: a: .+; b: /),
    });
    expect(result("toolu_fail")).toMatchObject({ is_error: true, content: "out of order" });
    expect(result("toolu_nothing")).toMatchObject({ is_error: true, content: "The tool returned no result." });
    expect(result("toolu_draw")).toMatchObject({ content: [{ type: "image" }, { type: "text" }] });
    expect(result("toolu_data")).toMatchObject({ content: '{"a":1}' });
    expect(result("toolu_long")).toMatchObject({ content: [{ type: "text", text: "x".repeat(300_000) }] });
    expect(result("toolu_whose")).toMatchObject({ content: [{ type: "text", text: "toolu_whose" }] });
  }
  const offered = model.requests[0]?.body.tools?.find(({ name }) => name === "mcp__s__add");
  expect(offered).toMatchObject({ description: "Adds.", input_schema: { type: "object", required: ["a", "b"] } });
  expect(JSON.stringify(model.requests[0]?.body)).toContain("Tools for tests.");
});

test("an interrupt of the real CLI aborts the signal of the call that runs", async () => {
  let begin = (_: AbortSignal): void => {};
  const begun = new Promise<AbortSignal>((resolve) => {
    begin = resolve;
  });
  const server = createToolServer({
    name: "s",
    tools: [
      tool("wait", "Waits for ever.", {}, (_, { signal }) => {
        begin(signal);
        return new Promise<string>(() => {});
      }),
    ],
  });
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([toolUse("mcp__s__wait", {}, "toolu_wait")]);
  await using sandbox = await createSandbox({ model });
  const { methods, outcome } = await converse(server, sandbox, { interrupt: begun });
  expect(methods.at(-1)).toBe("notifications/cancelled");
  expect((await begun).reason).toMatchObject({ name: "AbortError", message: "The call was cancelled." });
  expect(outcome).toMatchObject({ subtype: "error_during_execution" });
});
