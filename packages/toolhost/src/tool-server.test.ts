import { describe, expect, test } from "vitest";
import { createSdkMcpServer, createToolServer, ToolDefinitionError, type ToolServerOptions, tool } from "./index.ts";

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
    ["a size that the CLI does not take", wrong({ maxResultSizeChars: 500_001 }), /maxResultSizeChars/],
  ])("%s", (_, options, message) => {
    const create = (): unknown => createToolServer(options);
    expect(create).toThrow(ToolDefinitionError);
    expect(create).toThrow(message);
  });
});

test("a server is what the official name makes, and can stand as a value of mcpServers", () => {
  const server = createSdkMcpServer({ name: "calc", tools: [] });
  expect([server.type, server.name]).toEqual(["sdk", "calc"]);
});
