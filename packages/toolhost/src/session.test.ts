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
  type ToolLog,
  type ToolProgress,
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
        sessionId: undefined,
        server: "s",
        tool: "t",
        meta,
        progress: expect.any(Function),
        log: expect.any(Function),
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

  test("whose handler asks for its signal only when it was cancelled gets one that is aborted", async () => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const late: AbortSignal[] = [];
    const connection = serving({}, async (_, context) => {
      await gate;
      // What hands the context on hands the signal on.
      late.push({ ...context }.signal);
      return "late";
    }).connect();
    const open = call(connection);
    await nextTask();
    await connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await open).toEqual(failure("The call was cancelled."));
    go();
    await nextTask();
    expect(late[0]?.reason).toMatchObject({ name: "AbortError" });
  });

  test("that is over does not abort its signal any more", async () => {
    const signals: AbortSignal[] = [];
    const connection = serving({}, (_, { signal }) => {
      signals.push(signal);
      return "ok";
    }).connect();
    await call(connection);
    await connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    connection.close();
    expect(signals[0]?.aborted).toBe(false);
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

describe("progress of a handler", () => {
  const params = { name: "t", _meta: { progressToken: 0, "claudecode/toolUseId": "toolu_1" } };
  const notification = (progress: Record<string, unknown>): JsonRpcMessage => {
    return { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 0, ...progress } };
  };

  test("goes to the listener of the server and to its own client, as long as the call runs", async () => {
    let late = (): void => {};
    const told: ToolProgress[] = [];
    const copy = tool("t", "", {}, (_, { progress }) => {
      progress(1);
      progress(2, 3, "nearly");
      late = () => progress(3);
      return "ok";
    });
    const server = createToolServer({ name: "s", tools: [copy], onProgress: (event) => told.push(event) });
    const [mine, other]: [JsonRpcMessage[], JsonRpcMessage[]] = [[], []];
    const connection = server.connect((message) => mine.push(message), { sessionId: "session" });
    server.connect((message) => other.push(message));
    await connection.handle(request("tools/call", params));
    late();
    expect(mine).toEqual([notification({ progress: 1 }), notification({ progress: 2, total: 3, message: "nearly" })]);
    expect(other).toEqual([]);
    const about = { server: "s", tool: "t", toolUseId: "toolu_1", sessionId: "session" };
    expect(told).toEqual([
      { ...about, done: 1 },
      { ...about, done: 2, total: 3, message: "nearly" },
    ]);
  });

  test("is not told to a client that gave no token, or has no way back, or is gone", async () => {
    const sent: JsonRpcMessage[] = [];
    const server = serving({}, async (_, { progress, signal }) => {
      progress(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      progress(2);
      return "ok";
    });
    const wayless = server.connect();
    const tokenless = server.connect((message) => sent.push(message));
    const whole = server.connect((message) => sent.push(message));
    const calls = [
      wayless.handle(request("tools/call", params)),
      tokenless.handle(request("tools/call", { name: "t" })),
      whole.handle(request("tools/call", params)),
    ];
    await nextTask();
    for (const connection of [wayless, tokenless, whole]) connection.close();
    await Promise.all(calls);
    await nextTask();
    expect(sent).toEqual([notification({ progress: 1 })]);
  });

  test("that is no number is the handler's fault, and a listener that fails is not", async () => {
    const onProgress = async (): Promise<never> => {
      throw new Error("listener");
    };
    const copy = tool("t", "", {}, (_, { progress, meta }) => {
      progress(meta["wrong"] === true ? Number.NaN : 1);
      return "ok";
    });
    const connection = createToolServer({ name: "s", tools: [copy], onProgress }).connect(() => {
      throw new Error("channel");
    });
    const right = await connection.handle(request("tools/call", params));
    expect(right?.result).toEqual({ content: [{ type: "text", text: "ok" }] });
    const wrong = await connection.handle(request("tools/call", { ...params, _meta: { wrong: true } }));
    expect(wrong?.result).toEqual(failure("Progress is told in finite numbers."));
  });
});

describe("the log of a handler", () => {
  test("goes to the listener of the server, and to its client from the level on that it asked for", async () => {
    const told: ToolLog[] = [];
    const sent: JsonRpcMessage[] = [];
    const talk = tool("t", "", {}, (_, { log }) => {
      log("hello");
      log({ bytes: 1n }, "error");
      log({ a: 1 }, "debug");
      return "ok";
    });
    const connection = createToolServer({ name: "s", tools: [talk], onLog: (event) => told.push(event) }).connect(
      (message) => sent.push(message),
    );
    await call(connection);
    const params = (sent as { params?: unknown }[]).map((message) => message.params);
    expect(params).toEqual([
      { level: "info", logger: "t", data: "hello" },
      { level: "error", logger: "t", data: "[object Object]" },
      { level: "debug", logger: "t", data: { a: 1 } },
    ]);
    expect(told.map(({ level, data }) => [level, data])).toEqual([
      ["info", "hello"],
      ["error", "[object Object]"],
      ["debug", { a: 1 }],
    ]);
    sent.length = 0;
    expect(await connection.handle(request("logging/setLevel", { level: "warning" }))).toMatchObject({ result: {} });
    await call(connection);
    expect(sent).toMatchObject([{ method: "notifications/message", params: { level: "error" } }]);
    expect(told).toHaveLength(6);
  });

  test("has no other levels", async () => {
    const answer = await createToolServer({ name: "s" })
      .connect()
      .handle(request("logging/setLevel", { level: "loud" }));
    expect(answer).toMatchObject({ error: { code: -32602, message: "Invalid log level" } });
  });
});

describe("a session", () => {
  test("has its functions to itself, so that they can be handed on", async () => {
    const { handle, close } = createToolServer({ name: "s" }).connect();
    expect(await handle(request("ping"))).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    close();
    expect(await handle(request("ping"))).toBeUndefined();
  });

  test("whose host cannot say its id answers with an error, and leaves nothing behind", async () => {
    const info = {
      get sessionId(): string {
        throw new Error("not yet");
      },
    };
    const connection = serving({}, () => "ok").connect(undefined, info);
    expect(await connection.handle(request("tools/call", { name: "t" }))).toMatchObject({
      error: { code: -32603, message: "not yet" },
    });
  });

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
