import { once } from "node:events";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { fromMcpServer } from "../src/index.ts";
import { serveHttp, serveStdio } from "../src/mcp/serve/index.ts";
import { createProofServer, pixel } from "./proof-tools.ts";

// The MCP SDK's own client is the other end: it checks every message against its schemas.

interface Connected extends AsyncDisposable {
  readonly client: Client;
  /** What the client found wrong with what it got. */
  readonly complaints: readonly Error[];
}

/** Connects a client, and closes it before what it is connected to. */
async function connect(transport: Transport, closeServer: () => Promise<void> = async () => {}): Promise<Connected> {
  const client = new Client({ name: "test", version: "1" });
  const complaints: Error[] = [];
  client.onerror = (error) => complaints.push(error);
  await client.connect(transport);
  return {
    client,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await closeServer();
    },
  };
}

async function overHttp(): Promise<Connected> {
  const serving = await serveHttp(createProofServer());
  // The class is not compiled with exactOptionalPropertyTypes, the interface is.
  const transport = new StreamableHTTPClientTransport(new URL(serving.url)) as Transport;
  return connect(transport, serving.close);
}

async function overStdio(): Promise<Connected> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(createProofServer(), { input, output });
  // The two ends of stdio speak alike.
  return connect(new StdioServerTransport(output, input), serving.close);
}

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
])("over %s", (_, open) => {
  test("a client lists and calls the tools", async () => {
    await using connected = await open();
    const { client, complaints } = connected;
    expect(client.getServerVersion()).toMatchObject({ name: "proof" });
    expect(client.getInstructions()).toBe("Tools for tests.");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["add", "fail", "draw", "large", "slow", "wait", "grow"]);
    expect(await client.callTool({ name: "add", arguments: { a: 2, b: 40 } })).toEqual({
      content: [{ type: "text", text: "42" }],
    });
    expect(await client.callTool({ name: "draw" })).toEqual({
      content: [{ type: "image", data: pixel, mimeType: "image/png" }],
    });
    await client.ping();
    expect(complaints).toEqual([]);
  });

  test("a client is told what went wrong", async () => {
    await using connected = await open();
    const { client, complaints } = connected;
    expect(await client.callTool({ name: "add", arguments: { a: "2" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Invalid arguments for tool add: a: .+; b: /) }],
    });
    expect(await client.callTool({ name: "fail" })).toEqual({
      isError: true,
      content: [{ type: "text", text: "out of order" }],
    });
    await expect(client.callTool({ name: "none" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: "none" })).rejects.toMatchObject({ code: -32601 });
    expect(complaints).toEqual([]);
  });

  test("large results and calls at the same time arrive", async () => {
    await using _leaks = startLeakCheck();
    await using connected = await open();
    const { client, complaints } = connected;
    const large = client.callTool({ name: "large", arguments: { length: 5_000_000 } });
    const sums = Array.from({ length: 10 }, (_, a) => client.callTool({ name: "add", arguments: { a, b: 1 } }));
    const texts = (await Promise.all(sums)).map((result) => result.content);
    expect(texts).toEqual(sums.map((_, a) => [{ type: "text", text: String(a + 1) }]));
    expect((await large).content).toEqual([{ type: "text", text: "x".repeat(5_000_000) }]);
    expect(complaints).toEqual([]);
  });

  test("progress of a call reaches the client that asked for it", async () => {
    await using connected = await open();
    const { client, complaints } = connected;
    const seen: unknown[] = [];
    await client.callTool({ name: "slow" }, undefined, { onprogress: (progress) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })));
    expect(complaints).toEqual([]);
  });

  test("a client that cancels a call goes on with the others", async () => {
    await using connected = await open();
    const { client } = connected;
    const controller = new AbortController();
    const call = client.callTool({ name: "wait" }, undefined, { signal: controller.signal });
    await client.ping();
    controller.abort("enough");
    await expect(call).rejects.toThrow("enough");
    expect(await client.callTool({ name: "add", arguments: { a: 1, b: 1 } })).toMatchObject({
      content: [{ text: "2" }],
    });
  });

  test("a client hears of a tool that was added, and can call it", async () => {
    await using connected = await open();
    const { client, complaints } = connected;
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    await client.callTool({ name: "grow" });
    await changed;
    expect((await client.listTools()).tools.at(-1)?.name).toBe("grown");
    expect(await client.callTool({ name: "grown" })).toMatchObject({ content: [{ text: "new" }] });
    expect(complaints).toEqual([]);
  });
});

test("a server of the MCP SDK, served over HTTP, can ask its client in the middle of a call", async () => {
  const createForm = (): McpServer => {
    const form = new McpServer({ name: "form", version: "1" });
    form.registerTool("ask", {}, async () => {
      const message = "Your name?";
      const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };
      const { content } = await form.server.elicitInput({ message, requestedSchema });
      return { content: [{ type: "text", text: `Hello, ${content?.["name"]}.` }] };
    });
    return form;
  };
  await using serving = await serveHttp(fromMcpServer("form", createForm));
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url)) as Transport);
  expect(await client.callTool({ name: "ask" })).toMatchObject({ content: [{ text: "Hello, Ada." }] });
  await client.close();
});

describe("serveStdio", () => {
  interface Pipes {
    readonly input: PassThrough;
    readonly output: PassThrough;
  }

  function pipes(): Pipes {
    return { input: new PassThrough(), output: new PassThrough() };
  }

  test("ends with its input: the call that runs aborts", async () => {
    const { input, output } = pipes();
    const waiting = new Promise<AbortSignal>((resolve) => {
      const serving = serveStdio(createProofServer(resolve), { input, output });
      void serving.closed;
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioServerTransport(output, input));
    const call = client.callTool({ name: "wait" }).catch((error: Error) => error);
    const signal = await waiting;
    input.end();
    if (!signal.aborted) await once(signal, "abort");
    await client.close();
    expect(await call).toMatchObject({ message: expect.stringMatching(/closed/i) });
  });

  test("does not answer what the client cancelled", async () => {
    const { input, output } = pipes();
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await using serving = serveStdio(createProofServer(begin), { input, output });
    const lines: string[] = [];
    output.on("data", (chunk) => lines.push(String(chunk)));
    const write = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    write({ id: 1, method: "tools/call", params: { name: "wait" } });
    await begun;
    write({ method: "notifications/cancelled", params: { requestId: 1 } });
    write({ id: 2, method: "ping" });
    await once(output, "data");
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
    await serving.close();
    await serving.closed;
  });

  test("tells of lines that are no messages and goes on, and ends with an output that fails", async () => {
    const { input, output } = pipes();
    const errors: Error[] = [];
    const serving = serveStdio(createProofServer(), { input, output, onError: (error) => errors.push(error) });
    input.write('{"jsonrpc":\n');
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await once(output, "data");
    expect(errors).toHaveLength(1);
    output.destroy(new Error("broken pipe"));
    await serving.closed;
    expect(errors.at(-1)?.message).toBe("broken pipe");
  });

  test("ends at once with an input that has ended before", async () => {
    const { input, output } = pipes();
    input.destroy();
    await serveStdio(createProofServer(), { input, output }).closed;
  });
});
