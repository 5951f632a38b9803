import { describe, expect, test, vi } from "vitest";
import { type InProcessServer, type JsonRpcMessage, McpRouter } from "./mcp-router.ts";

const session = { sessionId: "session" };

function route(servers: Record<string, InProcessServer>): McpRouter {
  return new McpRouter(servers, () => {}, session);
}

/** A server that answers each method with what it is given, and with an error where that is nothing. */
function answering(results: Readonly<Record<string, unknown>>): InProcessServer & { readonly methods: string[] } {
  const methods: string[] = [];
  const handle = async ({ id, method = "" }: JsonRpcMessage): Promise<JsonRpcMessage | undefined> => {
    methods.push(method);
    if (id === undefined || id === null) return undefined;
    const result = results[method];
    return result === undefined
      ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
      : { jsonrpc: "2.0", id, result };
  };
  return { methods, connect: () => ({ handle, close: () => {} }) };
}

const greeting = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "s", version: "1" },
};

describe("manifests", () => {
  test("hold what the server says to the handshake of the CLI", async () => {
    const server = answering({ initialize: greeting, "tools/list": { tools: [] } });
    expect(await route({ s: server }).captureManifests(1000)).toEqual({
      s: { initializeResult: greeting, toolsListResult: { tools: [] } },
    });
    expect(server.methods).toEqual(["initialize", "notifications/initialized", "tools/list"]);
  });

  test("leave out a list in pages, of no tools, or that fails", async () => {
    const toolless = { ...greeting, capabilities: {} };
    const manifests = await route({
      pages: answering({ initialize: greeting, "tools/list": { tools: [], nextCursor: "2" } }),
      toolless: answering({ initialize: toolless, "tools/list": { tools: [] } }),
      failing: answering({ initialize: greeting }),
    }).captureManifests(1000);
    expect(manifests).toEqual({
      pages: { initializeResult: greeting },
      toolless: { initializeResult: toolless },
      failing: { initializeResult: greeting },
    });
  });

  test("leave out servers that fail, or speak another version", async () => {
    const throwing = (): never => {
      throw new Error("boom");
    };
    const manifests = await route({
      refusing: answering({}),
      throwing: { connect: throwing },
      rejecting: { connect: () => ({ handle: () => Promise.reject(new Error("boom")), close: () => {} }) },
      old: answering({ initialize: { ...greeting, protocolVersion: "2024-11-05" } }),
    }).captureManifests(1000);
    expect(manifests).toBeUndefined();
  });

  test("wait no longer than their time for a server that does not answer, and leave no timer", async () => {
    vi.useFakeTimers();
    try {
      const silent: InProcessServer = { connect: () => ({ handle: () => new Promise(() => {}), close: () => {} }) };
      const capture = route({ silent, s: answering({ initialize: greeting }) }).captureManifests(250);
      await vi.advanceTimersByTimeAsync(250);
      expect(await capture).toEqual({ s: { initializeResult: greeting } });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("are not asked for any further when their time is over", async () => {
    vi.useFakeTimers();
    try {
      const server = answering({ initialize: greeting, "tools/list": { tools: [] } });
      let greet = (): void => {};
      const gate = new Promise<void>((resolve) => {
        greet = resolve;
      });
      const slow: InProcessServer = {
        connect: (...parameters) => {
          const connection = server.connect(...parameters);
          return { ...connection, handle: async (message) => gate.then(() => connection.handle(message)) };
        },
      };
      const capture = route({ slow }).captureManifests(250);
      await vi.advanceTimersByTimeAsync(250);
      expect(await capture).toBeUndefined();
      greet();
      await vi.advanceTimersByTimeAsync(0);
      expect(server.methods).toEqual(["initialize"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("are taken in the session that the CLI goes on with", async () => {
    const connect = vi.fn(answering({ initialize: greeting }).connect);
    const router = route({ s: { connect } });
    await router.captureManifests(1000);
    const request = {
      subtype: "mcp_message",
      server_name: "s",
      message: { jsonrpc: "2.0", id: 0, method: "initialize" },
    };
    const context = { signal: new AbortController().signal, requestId: "1" };
    expect(await router.handler.handle(request, context)).toMatchObject({ kind: "success" });
    expect(connect).toHaveBeenCalledExactlyOnceWith(expect.any(Function), session);
  });
});

test("settings of servers are told under the names of the wire", () => {
  const settings = { timeout: 2000, tools: [{ name: "t", permission_policy: "always_ask" as const }] };
  const { connect } = answering({});
  const router = route({ plain: { connect }, empty: { connect, settings: {} }, set: { connect, settings } });
  expect(router.settings).toEqual({ set: settings });
  expect(route({ plain: { connect } }).settings).toBeUndefined();
  expect(router.configs).toEqual({
    plain: { type: "sdk", name: "plain" },
    empty: { type: "sdk", name: "empty" },
    set: { type: "sdk", name: "set", ...settings },
  });
});

test("servers that are replaced are closed, and those that stay are not", async () => {
  const close = vi.fn();
  const server = (name: string): InProcessServer => ({
    connect: () => ({ handle: async () => undefined, close: () => close(name) }),
  });
  const [one, two] = [server("one"), server("two")];
  const router = route({ one, two });
  await router.captureManifests(1000);
  router.replace({ one });
  expect(close.mock.calls).toEqual([["two"]]);
  router.close();
  expect(close.mock.calls).toEqual([["two"], ["one"]]);
});

test.each([
  [["a b", "a_b"], /"a b" and "a_b", which are both mcp__a_b/],
  [[""], /empty name/],
  [["ide"], /hides/],
])("servers called %j are refused, at the start and later", (names, message) => {
  const servers = Object.fromEntries(names.map((name) => [name, answering({})]));
  expect(() => route(servers)).toThrow(message);
  const router = route({ k: answering({}), K: answering({}) });
  expect(() => router.replace(servers)).toThrow(message);
  expect(router.names).toEqual(["k", "K"]);
});
