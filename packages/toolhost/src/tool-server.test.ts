import { describe, expect, test } from "vitest";
import {
  createSdkMcpServer,
  createToolServer,
  type JsonRpcMessage,
  ToolDefinitionError,
  type ToolServer,
  type ToolServerOptions,
  tool,
} from "./index.ts";

test("lists tools with their hints", async () => {
  const full = tool("t", "Does.", {}, () => "", {
    annotations: { title: "T", readOnlyHint: true },
    alwaysLoad: false,
    searchHint: "zebra",
    maxResultSizeChars: 500_000,
  });
  const listed = await createToolServer({ name: "s", tools: [full, tool("u", "", {}, () => "")], alwaysLoad: true })
    .connect()
    .handle({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect(listed?.result).toEqual({
    tools: [
      {
        name: "t",
        description: "Does.",
        inputSchema: { type: "object", properties: {} },
        annotations: { title: "T", readOnlyHint: true },
        _meta: {
          "anthropic/alwaysLoad": false,
          "anthropic/searchHint": "zebra",
          "anthropic/maxResultSizeChars": 500_000,
        },
      },
      {
        name: "u",
        description: "",
        inputSchema: { type: "object", properties: {} },
        _meta: { "anthropic/alwaysLoad": true },
      },
    ],
  });
});

describe("registration refuses", () => {
  const named = (name: string): ReturnType<typeof tool> => tool(name, "", {}, () => "");
  // What callers without types could pass.
  const wrong = (definition: object): ToolServerOptions => ({
    name: "s",
    tools: [{ ...named("t"), ...definition } as never],
  });
  test.each<[string, ToolServerOptions, RegExp]>([
    ["a server without a name", { name: "" }, /no name for a server/],
    ["a server whose tools the CLI hides", { name: "ide" }, /hides/],
    ["a version that is no text", { name: "s", version: 1 as never }, /version that is no string/],
    ["instructions that are no text", { name: "s", instructions: {} as never }, /instructions that is no string/],
    ["a timeout that is no time", { name: "s", timeoutMs: Number.NaN }, /timeoutMs/],
    ["a timeout that a timer cannot hold", { name: "s", timeoutMs: 2 ** 31 }, /timeoutMs/],
    ["a tool without a name", { name: "s", tools: [named("")] }, /without a name/],
    ["two tools of one name", { name: "s", tools: [named("a"), named("a")] }, /twice/],
    [
      "two tools that the CLI cannot tell apart",
      { name: "s", tools: [named("a b"), named("a.b")] },
      /same name as "a b" in the CLI, mcp__s__a_b/,
    ],
    ["a name that the API does not take", { name: "s", tools: [named("x".repeat(130))] }, /128/],
    ["a description that is none", wrong({ description: 5 }), /no description/],
    ["a handler that is none", wrong({ handler: 5 }), /no handler/],
    ["a schema that is none", wrong({ inputSchema: { a: 5 } }), /unknown form/],
    ["a hint that is no boolean", wrong({ annotations: { readOnlyHint: "yes" } }), /readOnlyHint that is no boolean/],
    ["a title that is no text", wrong({ annotations: { title: 5 } }), /title that is no string/],
    ["annotations that are none", wrong({ annotations: "x" }), /annotations/],
    ["annotations that JSON cannot carry", wrong({ annotations: { later: 1n } }), /annotations/],
    ["an alwaysLoad that is no boolean", wrong({ alwaysLoad: "yes" }), /alwaysLoad/],
    ["a hint for the search that is no text", wrong({ searchHint: 5 }), /searchHint/],
    ["a timeout of a tool that is no time", wrong({ timeoutMs: 0 }), /timeoutMs/],
    ["a policy that the CLI ignores", wrong({ permissionPolicy: "always_allow" }), /use the rules of the session/],
    ["a listener that is none", { name: "s", onLog: {} as never }, /onLog that is no function/],
    ["a page without entries", { name: "s", pageSize: 0 }, /pageSize/],
    ["a tool that is nothing", { name: "s", tools: [undefined as never] }, /without a name/],
    ["a size that the CLI does not take", wrong({ maxResultSizeChars: 500_001 }), /maxResultSizeChars/],
  ])("%s", (_, options, message) => {
    const create = (): unknown => createToolServer(options);
    expect(create).toThrow(ToolDefinitionError);
    expect(create).toThrow(message);
  });
});

function named(name: string, word = name): ReturnType<typeof tool> {
  return tool(name, "", {}, () => word);
}

async function ask(connection: ReturnType<ToolServer["connect"]>, method: string, params?: unknown): Promise<unknown> {
  const answer = await connection.handle({ jsonrpc: "2.0", id: 1, method, params });
  return answer?.result ?? answer?.error;
}

async function names(connection: ReturnType<ToolServer["connect"]>): Promise<string[]> {
  const { tools } = (await ask(connection, "tools/list")) as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

describe("tools that change while sessions run", () => {
  const changed: JsonRpcMessage = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

  test("are told to each client that has connected, once for all changes of a moment", async () => {
    const server = createToolServer({ name: "s", tools: [named("a")] });
    const sent: Record<string, JsonRpcMessage[]> = { one: [], two: [], early: [], closed: [] };
    const connect = (name: string): ReturnType<ToolServer["connect"]> => {
      return server.connect((message) => sent[name]?.push(message));
    };
    const [one, two, , closed] = [connect("one"), connect("two"), connect("early"), connect("closed")];
    for (const connection of [one, two, closed, server.connect()]) await ask(connection, "initialize");
    closed.close();
    server.add(named("b"), named("c"));
    server.replace(named("a", "new"));
    expect(server.remove("c")).toBe(true);
    expect(sent).toEqual({ one: [], two: [], early: [], closed: [] });
    await Promise.resolve();
    expect(sent).toEqual({ one: [changed], two: [changed], early: [], closed: [] });
    expect([await names(one), await names(two)]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    expect(await ask(two, "tools/call", { name: "a" })).toEqual({ content: [{ type: "text", text: "new" }] });
    expect(await ask(two, "tools/call", { name: "c" })).toEqual({ code: -32602, message: "Tool c not found" });
    server.add(named("c"));
    await Promise.resolve();
    expect(sent["one"]).toEqual([changed, changed]);
  });

  test("are told to nobody when nothing changes", async () => {
    const server = createToolServer({ name: "s", tools: [named("a")] });
    const sent: JsonRpcMessage[] = [];
    await ask(
      server.connect((message) => sent.push(message)),
      "initialize",
    );
    server.add();
    expect(server.remove("b")).toBe(false);
    expect(() => server.replace(named("b"))).toThrow(/is no tool of the server yet/);
    expect(() => server.add(named("b"), named("a"))).toThrow(/"a" is there twice/);
    await Promise.resolve();
    expect(sent).toEqual([]);
    // All or none.
    expect(await names(server.connect())).toEqual(["a"]);
  });

  test("keep the rules of their names", () => {
    const server = createToolServer({ name: "s", tools: [named("a b")] });
    expect(() => server.add(named("a.b"))).toThrow(/same name as "a b"/);
    server.remove("a.b");
    expect(() => server.add(named("a.b"))).toThrow(/same name as "a b"/);
    server.remove("a b");
    server.add(named("a.b"));
    expect(() => server.add(named("a b"))).toThrow(/same name as "a.b"/);
  });

  test("cannot bring a policy that the CLI would not hear of", () => {
    const server = createToolServer({ name: "s", tools: [{ ...named("a"), permissionPolicy: "always_ask" }] });
    const asked = (name: string): ReturnType<typeof tool> => ({ ...named(name), permissionPolicy: "always_ask" });
    server.add(asked("before"));
    const connection = server.connect();
    expect(() => server.add(asked("b"))).toThrow(/open sessions would not hear/);
    expect(() => server.replace(named("a"))).toThrow(/open sessions would not hear/);
    server.replace(asked("a"));
    connection.close();
    server.replace(named("a"));
    server.add(asked("b"));
  });

  test("are announced to other clients although one cannot be reached", async () => {
    const server = createToolServer({ name: "s" });
    const sent: JsonRpcMessage[] = [];
    const broken = server.connect(() => {
      throw new Error("closed");
    });
    const whole = server.connect((message) => sent.push(message));
    for (const connection of [broken, whole]) await ask(connection, "initialize");
    server.add(named("a"));
    await Promise.resolve();
    expect(sent).toEqual([changed]);
  });

  test("leave calls alone that run", async () => {
    let end = (_: string): void => {};
    const slow = tool("slow", "", {}, () => new Promise<string>((resolve) => (end = resolve)));
    const server = createToolServer({ name: "s", tools: [slow] });
    const open = ask(server.connect(), "tools/call", { name: "slow" });
    await new Promise((resolve) => setTimeout(resolve));
    server.remove("slow");
    end("ended");
    expect(await open).toEqual({ content: [{ type: "text", text: "ended" }] });
  });
});

test("a server that can tell its client of changes says so in the handshake", async () => {
  const server = createToolServer({ name: "s" });
  expect(await ask(server.connect(), "initialize")).toMatchObject({ capabilities: { tools: {} } });
  expect(
    await ask(
      server.connect(() => {}),
      "initialize",
    ),
  ).toMatchObject({ capabilities: { tools: { listChanged: true }, logging: {} } });
});

test("a list comes in pages where the server has a page size", async () => {
  const connection = createToolServer({
    name: "s",
    tools: ["a", "b", "c"].map((name) => named(name)),
    pageSize: 2,
  }).connect();
  const first = (await ask(connection, "tools/list")) as { tools: unknown[]; nextCursor: string };
  expect(first).toMatchObject({ tools: [{ name: "a" }, { name: "b" }], nextCursor: expect.any(String) });
  const second = await ask(connection, "tools/list", { cursor: first.nextCursor });
  expect(second).toEqual({ tools: [expect.objectContaining({ name: "c" })] });
  expect(await ask(connection, "tools/list", { cursor: "99" })).toEqual({ tools: [] });
  for (const cursor of ["x", "-1", "", 1, null, {}])
    expect(await ask(connection, "tools/list", { cursor })).toEqual({ code: -32602, message: "Invalid cursor" });
});

describe("what the CLI is told of a server", () => {
  test("is nothing where there is nothing to say", () => {
    expect(createToolServer({ name: "s", tools: [named("a")] }).settings).toEqual({});
    // A tool that is added later may take as long as it likes.
    expect(createToolServer({ name: "s", tools: [{ ...named("a"), timeoutMs: 5000 }] }).settings).toEqual({});
  });

  test("is a time that no call of the server needs, and the policies of its tools", () => {
    const server = createToolServer({
      name: "s",
      timeoutMs: 2000,
      tools: [{ ...named("a"), timeoutMs: 5000 }, { ...named("b"), permissionPolicy: "always_ask" }, named("c")],
    });
    const tools = [{ name: "b", permission_policy: "always_ask" }];
    expect(server.settings).toEqual({ timeout: 6000, tools });
    server.add({ ...named("d"), timeoutMs: Number.POSITIVE_INFINITY, permissionPolicy: "always_deny" });
    expect(server.settings).toEqual({ tools: [...tools, { name: "d", permission_policy: "always_deny" }] });
  });
});

test("the official name makes the same server, with the official options", () => {
  const server = createSdkMcpServer({ name: "calc", tools: [named("a")], timeout: 4000 });
  expect([server.type, server.name, server.settings]).toEqual(["sdk", "calc", { timeout: 5000 }]);
  expect(() => createSdkMcpServer({ name: "calc", timeout: -1 })).toThrow(/timeoutMs/);
});
