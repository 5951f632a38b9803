import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  type CallToolResult,
  createToolServer,
  type InputSchema,
  type JsonRpcId,
  type JsonRpcMessage,
  type ToolConnection,
  type ToolHandler,
  type ToolServer,
  tool,
} from "./index.ts";

function request(method: string, params?: unknown, id: JsonRpcId = 1): JsonRpcMessage {
  return { jsonrpc: "2.0", id, method, params };
}

/** A server with one tool, `t`. */
function serving(schema: InputSchema, handler: ToolHandler<never>): ToolServer {
  return createToolServer({ name: "s", tools: [{ ...tool("t", "", schema, () => ""), handler }] });
}

/** Calls the tool `t`; `undefined` when there was no answer. */
async function call(
  connection: ToolConnection,
  args?: unknown,
  id: JsonRpcId = 1,
): Promise<CallToolResult | undefined> {
  const response = await connection.handle(request("tools/call", { name: "t", arguments: args }, id));
  if (response === undefined) return undefined;
  expect(response).toMatchObject({ jsonrpc: "2.0", id });
  return response.result as CallToolResult;
}

function failure(text: unknown): CallToolResult {
  return { content: [{ type: "text", text: text as string }], isError: true };
}

/** A server whose tool never ends, and the signals that it was given. */
function hanging(): { server: ToolServer; signals: AbortSignal[]; started: (count: number) => Promise<void> } {
  const signals: AbortSignal[] = [];
  const server = serving({}, (_, { signal }) => {
    signals.push(signal);
    return new Promise<string>(() => {});
  });
  return { server, signals, started: (count) => vi.waitFor(() => expect(signals).toHaveLength(count)) };
}

/** Lets everything happen that waits for nothing but its turn. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

describe("the handshake", () => {
  test("speaks the client's version where it knows it, and its newest otherwise", async () => {
    const server = createToolServer({ name: "s", version: "2.0.0", instructions: "Be kind." });
    for (const [asked, spoken] of [
      ["2025-11-25", "2025-11-25"],
      ["2024-11-05", "2024-11-05"],
      ["1999-01-01", "2025-11-25"],
      [undefined, "2025-11-25"],
    ]) {
      const answer = await server.connect().handle(request("initialize", { protocolVersion: asked }, 0));
      expect(answer).toEqual({
        jsonrpc: "2.0",
        id: 0,
        result: {
          protocolVersion: spoken,
          capabilities: { tools: {} },
          serverInfo: { name: "s", version: "2.0.0" },
          instructions: "Be kind.",
        },
      });
    }
  });

  test("may come again, and drops the calls of before", async () => {
    const { server, signals, started } = hanging();
    const connection = server.connect();
    const open = call(connection);
    await started(1);
    expect(await connection.handle(request("initialize", {}, 0))).toMatchObject({ id: 0, result: {} });
    expect([signals[0]?.aborted, await open]).toEqual([true, undefined]);
    const again = call(connection);
    await started(2);
    expect(signals[1]?.aborted).toBe(false);
    connection.close();
    await again;
  });
});

describe("a message", () => {
  const connection = serving({}, () => "x").connect();

  test.each<[string, unknown, unknown]>([
    ["ping", request("ping", undefined, ""), { jsonrpc: "2.0", id: "", result: {} }],
    ["an unknown method", request("prompts/list", undefined, 0), { id: 0, error: { code: -32601 } }],
    [
      "an unknown tool",
      request("tools/call", { name: "no" }),
      { error: { code: -32602, message: "Tool no not found" } },
    ],
    ["a tool of the prototype", request("tools/call", { name: "constructor" }), { error: { code: -32602 } }],
    ["a call of nothing", request("tools/call", null), { id: 1, error: { code: -32602 } }],
    ["a method that is no text", { jsonrpc: "2.0", id: 1, method: 5 }, { id: 1, error: { code: -32601 } }],
    ["an id that is none", { jsonrpc: "2.0", id: {}, method: "ping" }, { id: null, error: { code: -32600 } }],
    ["a list", [request("ping")], { id: null, error: { code: -32600 } }],
    ["null", null, { id: null, error: { code: -32600 } }],
  ])("is answered: %s", async (_, message, answer) => {
    expect(await connection.handle(message as JsonRpcMessage)).toMatchObject(answer as object);
  });

  test.each<[string, JsonRpcMessage]>([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["a notification of tomorrow", { jsonrpc: "2.0", method: "notifications/of/tomorrow", params: 5 }],
    ["a cancellation of nothing", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } }],
    ["a call without an id", { jsonrpc: "2.0", method: "tools/call", params: { name: "t" } }],
    ["a response", { jsonrpc: "2.0", id: 7, result: {} }],
  ])("gets no answer: %s", async (_, message) => {
    expect(await connection.handle(message)).toBeUndefined();
  });
});

describe("a call", () => {
  test("reaches its handler with what the schema makes of the arguments", async () => {
    const handler = vi.fn(() => "ok");
    const connection = serving({ a: z.number(), b: z.string().default("b") }, handler).connect();
    expect(await call(connection, { a: 1, c: 2 })).toEqual({ content: [{ type: "text", text: "ok" }] });
    expect(handler).toHaveBeenCalledExactlyOnceWith({ a: 1, b: "b" }, expect.anything());
  });

  test("with arguments that do not fit never reaches its handler, and the model is told which", async () => {
    const handler = vi.fn(() => "ok");
    const connection = serving({ a: z.number(), b: z.array(z.string()) }, handler).connect();
    const text = expect.stringMatching(/^Invalid arguments for tool t: a: .+; b\.1: .+/);
    expect(await call(connection, { a: "1", b: ["x", 5] })).toEqual(failure(text));
    for (const args of [5, "x", [1], true])
      expect(await call(connection, args)).toEqual(failure("Invalid arguments for tool t: expected an object"));
    expect(handler).not.toHaveBeenCalled();
  });

  test("with a schema that throws is answered with what it threw", async () => {
    const schema = z.object({ a: z.number().transform(() => Promise.reject(new Error("no database"))) });
    expect(await call(serving(schema, () => "").connect(), { a: 1 })).toEqual(failure("no database"));
  });

  test("tells its handler whose it is", async () => {
    const handler = vi.fn(() => "");
    const meta = { "claudecode/toolUseId": "toolu_1", progressToken: 0 };
    const params = { name: "t", _meta: meta };
    await serving({}, handler)
      .connect()
      .handle(request("tools/call", params, 3));
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      {},
      {
        signal: expect.any(AbortSignal),
        toolUseId: "toolu_1",
        requestId: 3,
        progressToken: 0,
        server: "s",
        meta,
        notify: expect.any(Function),
      },
    );
  });

  test.each<[string, ToolHandler<never>]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
  ])("whose handler %s is answered with an error result", async (_, handler) => {
    expect(await call(serving({}, handler).connect())).toEqual(failure("boom"));
  });

  test("is answered when it ends, whenever it began", async () => {
    const ends = new Map<string, () => void>();
    const connection = serving({ name: z.string() }, (({ name }: { name: string }) => {
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    }) as ToolHandler<never>).connect();
    const answered: unknown[] = [];
    const calls = ["one", "two"].map(async (name, index) => {
      const result = await call(connection, { name }, index);
      answered.push(result?.content?.[0]?.["text"]);
    });
    await vi.waitFor(() => expect(ends.size).toBe(2));
    ends.get("two")?.();
    await calls[1];
    ends.get("one")?.();
    await calls[0];
    expect(answered).toEqual(["two", "one"]);
  });

  test("that is cancelled aborts its signal and no other's, and is answered although its handler never returns", async () => {
    const { server, signals, started } = hanging();
    const connection = server.connect();
    const [one, other] = [call(connection, {}, 1), call(connection, {}, "1")];
    await started(2);
    const params = { requestId: "1", reason: "AbortError: remote-cancel" };
    await connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    expect(await other).toEqual(failure("The call was cancelled."));
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true]);
    connection.close();
    await one;
  });

  test("that is cancelled while its arguments are checked never reaches its handler", async () => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const handler = vi.fn(() => "ok");
    const connection = serving({ a: z.number().refine(() => gate.then(() => true)) }, handler).connect();
    const open = call(connection, { a: 1 });
    await connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await open).toEqual(failure("The call was cancelled."));
    go();
    await nextTask();
    expect(handler).not.toHaveBeenCalled();
  });

  test("of an id that another running call has ends like the other", async () => {
    const { server, signals, started } = hanging();
    const connection = server.connect();
    const calls = [call(connection), call(connection)];
    await started(2);
    await connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect((await Promise.all(calls)).map((result) => result?.isError)).toEqual([true, true]);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
  });

  test("that takes longer than the server allows is answered and aborted, and leaves no timer", async () => {
    vi.useFakeTimers();
    try {
      let signal: AbortSignal | undefined;
      const slow = tool("t", "", {}, (_, context) => {
        signal = context.signal;
        return new Promise<string>(() => {});
      });
      const quick = tool("q", "", {}, () => "quick");
      const connection = createToolServer({ name: "s", tools: [slow, quick], timeoutMs: 1000 }).connect();
      await connection.handle(request("tools/call", { name: "q" }));
      expect(vi.getTimerCount()).toBe(0);
      const answer = call(connection);
      await vi.advanceTimersByTimeAsync(1000);
      expect(await answer).toEqual(failure("The call took longer than 1000 ms."));
      expect([signal?.aborted, vi.getTimerCount()]).toEqual([true, 0]);
      const dropped = call(connection);
      connection.close();
      await dropped;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a notification of a handler", () => {
  const params = { progressToken: 1, progress: 0.5 };

  test("goes to its own client, as long as the call runs", async () => {
    let late = (): void => {};
    const server = serving({}, (_, { notify }) => {
      notify("notifications/progress", params);
      late = () => notify("notifications/progress", params);
      return "ok";
    });
    const [mine, other]: [JsonRpcMessage[], JsonRpcMessage[]] = [[], []];
    const connection = server.connect((message) => mine.push(message));
    server.connect((message) => other.push(message));
    await call(connection);
    late();
    expect(mine).toEqual([{ jsonrpc: "2.0", method: "notifications/progress", params }]);
    expect(other).toEqual([]);
  });

  test("is dropped where there is no way to the client, and after the end", async () => {
    const sent: JsonRpcMessage[] = [];
    const server = serving({}, async (_, { notify, signal }) => {
      notify("notifications/progress", params);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      notify("notifications/progress", params);
      return "ok";
    });
    for (const connection of [server.connect(), server.connect((message) => sent.push(message))]) {
      const open = call(connection);
      await nextTask();
      connection.close();
      await open;
    }
    await nextTask();
    expect(sent).toHaveLength(1);
  });
});

describe("a session", () => {
  test("that ends aborts its own calls and no other's, and answers nothing any more", async () => {
    const { server, signals, started } = hanging();
    const [one, two] = [server.connect(), server.connect()];
    const calls = [call(one), call(two)];
    await started(2);
    one.close();
    one.close();
    expect(await calls[0]).toBeUndefined();
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(await one.handle(request("ping"))).toBeUndefined();
    expect(await two.handle(request("ping"))).toBeDefined();
    two.close();
    await calls[1];
  });

  test("may be ended by its own tool", async () => {
    const connection: ToolConnection = serving({}, () => {
      connection.close();
      return "late";
    }).connect();
    expect(await call(connection)).toBeUndefined();
  });
});
