import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonRpcMessage } from "../src/json-rpc.ts";
import { McpServerInUseError } from "../src/mcp/errors.ts";
import { fromMcpServer } from "../src/mcp/from-mcp-server.ts";
import type { McpServerInstance } from "../src/mcp/mcp-server-instance.ts";

const initialize: JsonRpcMessage = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const initialized: JsonRpcMessage = { jsonrpc: "2.0", method: "notifications/initialized" };

function callOf(name: string, id: number, input = {}): JsonRpcMessage {
  const params = { name, arguments: input, _meta: { progressToken: id, "claudecode/toolUseId": `toolu_${id}` } };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

/** A server with a tool `echo`, and a tool `wait` that tells of its signals and never ends. */
function createFiles(): { server: McpServer; signals: AbortSignal[] } {
  const server = new McpServer({ name: "files", version: "3.0.0" }, { instructions: "Reads files." });
  const signals: AbortSignal[] = [];
  server.registerTool(
    "echo",
    { description: "Echoes.", inputSchema: { text: z.string() } },
    async ({ text }, extra) => {
      await extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken: extra.requestId, progress: 1 },
      });
      return { content: [{ type: "text", text: `${text} for ${extra._meta?.["claudecode/toolUseId"]}` }] };
    },
  );
  server.registerTool("wait", {}, ({ signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  return { server, signals };
}

test("an McpServer answers the handshake, the list and a call, and its notifications reach the client", async () => {
  const sent: JsonRpcMessage[] = [];
  const session = fromMcpServer("files", createFiles().server).connect((message) => sent.push(message));
  expect((await session.handle(initialize))?.result).toMatchObject({
    protocolVersion: "2025-11-25",
    serverInfo: { name: "files" },
    instructions: "Reads files.",
  });
  expect(await session.handle(initialized)).toBeUndefined();
  const list = await session.handle({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect(list?.result).toMatchObject({ tools: [{ name: "echo" }, { name: "wait" }] });
  expect(await session.handle(callOf("echo", 2, { text: "hello" }))).toEqual({
    jsonrpc: "2.0",
    id: 2,
    result: { content: [{ type: "text", text: "hello for toolu_2" }] },
  });
  expect(sent).toEqual([
    { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 2, progress: 1 } },
  ]);
  session.close();
});

test("a low-level Server runs too", async () => {
  const server = new Server({ name: "low", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: "low" }] }));
  const session = fromMcpServer("low", server).connect();
  await session.handle(initialize);
  expect((await session.handle(callOf("any", 1)))?.result).toEqual({ content: [{ type: "text", text: "low" }] });
  session.close();
});

test("what the SDK refuses becomes the response", async () => {
  const session = fromMcpServer("files", createFiles().server).connect();
  await session.handle(initialize);
  expect((await session.handle({ jsonrpc: "2.0", id: 1, method: "no/such" }))?.error).toMatchObject({ code: -32601 });
  expect((await session.handle(callOf("echo", 2, { text: 5 })))?.result).toMatchObject({ isError: true });
  session.close();
});

test("a request of the server reaches the client, and the client's response the server", async () => {
  const { server } = createFiles();
  const requests: JsonRpcMessage[] = [];
  const session = fromMcpServer("files", server).connect((message) => requests.push(message));
  await session.handle(initialize);
  const pong = server.server.ping();
  await session.handle({ jsonrpc: "2.0", id: requests[0]?.id ?? null, result: {} });
  expect(requests).toMatchObject([{ method: "ping" }]);
  await expect(pong).resolves.toEqual({});
  session.close();
});

test("a cancelled call is settled, and its signal aborts", async () => {
  const { server, signals } = createFiles();
  const session = fromMcpServer("files", server).connect();
  await session.handle(initialize);
  const call = session.handle(callOf("wait", 1));
  const params = { requestId: 1, reason: "enough" };
  await session.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  expect((await call)?.error).toMatchObject({ message: "The request was cancelled." });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  session.close();
});

test("closing aborts what runs and answers nothing any more", async () => {
  const { server, signals } = createFiles();
  const session = fromMcpServer("files", server).connect();
  await session.handle(initialize);
  const call = session.handle(callOf("wait", 1));
  await session.handle(initialized);
  session.close();
  session.close();
  expect(await call).toBeUndefined();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(await session.handle(callOf("echo", 2))).toBeUndefined();
  expect(server.isConnected()).toBe(false);
});

test("a second initialize begins anew: what ran is aborted, and its id is free", async () => {
  const { server, signals } = createFiles();
  const session = fromMcpServer("files", server).connect();
  await session.handle(initialize);
  const old = session.handle(callOf("wait", 1));
  await session.handle(initialized);
  const again = session.handle(initialize);
  expect(await old).toBeUndefined();
  expect((await again)?.result).toMatchObject({ serverInfo: { name: "files" } });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect((await session.handle(callOf("echo", 1, { text: "new" })))?.result).toMatchObject({
    content: [{ text: "new for toolu_1" }],
  });
  session.close();
});

describe("sessions", () => {
  test("one instance refuses a second session at once, and serves the next one", async () => {
    const { server } = createFiles();
    const first = fromMcpServer("files", server).connect();
    await first.handle(initialize);
    // Another adapter of the same instance is no way around it.
    expect(() => fromMcpServer("other", server).connect()).toThrow(McpServerInUseError);
    expect(() => fromMcpServer("other", server).connect()).toThrow(/"other" is in another session.+Give a function/);
    first.close();
    const second = fromMcpServer("files", server).connect();
    expect((await second.handle(initialize))?.result).toMatchObject({ serverInfo: { name: "files" } });
    second.close();
  });

  test("a session that begins while the one before still closes waits for that", async () => {
    const { server } = createFiles();
    let finish = (): void => {};
    const closing = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow: McpServerInstance = {
      connect: (transport) => server.connect(transport),
      close: async () => {
        await closing;
        await server.close();
      },
    };
    const files = fromMcpServer("files", slow);
    const first = files.connect();
    await first.handle(initialize);
    first.close();
    const second = files.connect();
    const response = second.handle(initialize);
    finish();
    expect((await response)?.result).toMatchObject({ serverInfo: { name: "files" } });
    second.close();
  });

  test("a function gives each session an instance of its own", async () => {
    const created: McpServer[] = [];
    const files = fromMcpServer("files", () => {
      const { server } = createFiles();
      created.push(server);
      return server;
    });
    const sessions = [files.connect(), files.connect()];
    const answers = await Promise.all(
      sessions.map(async (session) => {
        await session.handle(initialize);
        return session.handle(callOf("echo", 1, { text: "hi" }));
      }),
    );
    expect(answers[0]?.result).toMatchObject({ content: [{ text: "hi for toolu_1" }] });
    expect(answers[1]).toEqual(answers[0]);
    for (const session of sessions) session.close();
    expect(created.map((server) => server.isConnected())).toEqual([false, false]);
  });

  test("a server that is connected elsewhere answers with the reason, and stays connected there", async () => {
    const { server } = createFiles();
    const [, elsewhere] = InMemoryTransport.createLinkedPair();
    await server.connect(elsewhere);
    const session = fromMcpServer("files", server).connect();
    expect((await session.handle(initialize))?.error?.message).toMatch(/Already connected/);
    session.close();
    expect(server.isConnected()).toBe(true);
    await server.close();
  });
});

describe("a server that misbehaves", () => {
  /** A server in the SDK's shape whose only deed is `onMessage`. */
  function serverThat(
    onMessage: (message: JsonRpcMessage, send: (message: JsonRpcMessage) => void) => void,
  ): McpServerInstance {
    return {
      connect: async (transport: Transport) => {
        transport.onmessage = (message) =>
          onMessage(message as JsonRpcMessage, (response) => void transport.send(response as never));
        await transport.start();
      },
      close: async () => {
        throw new Error("cannot close");
      },
    };
  }

  test("answers with an error where it throws, and where its result is none", async () => {
    const session = fromMcpServer(
      "bad",
      serverThat(({ id = null, method }, send) => {
        if (method === "throw") throw new Error("no");
        send({ jsonrpc: "2.0", id, result: 5 });
      }),
    ).connect();
    expect((await session.handle({ jsonrpc: "2.0", id: 1, method: "throw" }))?.error?.message).toBe("no");
    expect((await session.handle({ jsonrpc: "2.0", id: 2, method: "five" }))?.error?.message).toMatch(
      /no valid response/,
    );
    session.close();
  });

  test("is not asked twice under one id", async () => {
    const session = fromMcpServer(
      "bad",
      serverThat(() => {}),
    ).connect();
    const first = session.handle({ jsonrpc: "2.0", id: 1, method: "wait" });
    expect((await session.handle({ jsonrpc: "2.0", id: 1, method: "wait" }))?.error?.code).toBe(-32600);
    session.close();
    expect(await first).toBeUndefined();
  });

  test("is refused when it is no server", () => {
    expect(() => fromMcpServer("", createFiles().server)).toThrow(/no name/);
    expect(() => fromMcpServer("none", {} as never)).toThrow(/no server of the MCP SDK/);
    expect(() => fromMcpServer("none", (() => 5) as never).connect()).toThrow(/no server of the MCP SDK/);
  });

  test("is given up with its session when it never connects", async () => {
    const server: McpServerInstance = { connect: () => new Promise(() => {}), close: async () => {} };
    const session = fromMcpServer("bad", server).connect();
    const answer = session.handle(initialize);
    session.close();
    expect(await answer).toBeUndefined();
  });

  test("answers with an error once it has closed by itself", async () => {
    const { server } = createFiles();
    const session = fromMcpServer("files", server).connect();
    await session.handle(initialize);
    const call = session.handle(callOf("wait", 1));
    await session.handle(initialized);
    await server.close();
    expect((await call)?.error?.message).toMatch(/has closed/);
    expect((await session.handle(callOf("echo", 2)))?.error?.message).toMatch(/has closed/);
    session.close();
  });

  test("gets nothing that is no message", async () => {
    const session = fromMcpServer("files", createFiles().server).connect();
    expect((await session.handle(null as never))?.error?.code).toBe(-32600);
    expect((await session.handle({ jsonrpc: "2.0", id: {} as never, method: "ping" }))?.error?.code).toBe(-32600);
    session.close();
  });
});
