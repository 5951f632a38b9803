import { describe, expect, test, vi } from "vitest";
import { createToolServer, type JsonRpcMessage, type ResourceDefinition, ToolDefinitionError } from "./index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a server with these resources answers, without what every answer has. */
async function ask(resources: readonly ResourceDefinition[], method: string, params: Fields = {}): Promise<Fields> {
  const connection = createToolServer({ name: "s", resources }).connect();
  const { result, error } = (await connection.handle({ jsonrpc: "2.0", id: 0, method, params })) ?? {};
  return JSON.parse(JSON.stringify({ result, error }));
}

function resource(read: unknown, fields: Partial<ResourceDefinition> = {}): ResourceDefinition {
  return { uri: "memo://one", name: "One", ...fields, read: read as ResourceDefinition["read"] };
}

describe("a server with resources", () => {
  const memo = resource(() => "text", { title: "Memo", description: "The first.", mimeType: "text/plain" });

  test("says so, and lists them", async () => {
    const hello = await ask([memo], "initialize");
    expect(hello).toMatchObject({ result: { capabilities: { tools: {}, resources: {} } } });
    expect(await ask([memo], "resources/list")).toEqual({
      result: {
        resources: [
          { uri: "memo://one", name: "One", title: "Memo", description: "The first.", mimeType: "text/plain" },
        ],
      },
    });
    expect(await ask([memo], "resources/templates/list")).toEqual({ result: { resourceTemplates: [] } });
  });

  test.each<[string, unknown, unknown]>([
    ["a text", "text", [{ uri: "memo://one", text: "text" }]],
    ["bytes", new Uint8Array([1, 2, 3]), [{ uri: "memo://one", blob: "AQID" }]],
    ["contents", [{ uri: "memo://two", text: "two" }], [{ uri: "memo://two", text: "two" }]],
    ["no contents", [], []],
  ])("gives what is read: %s", async (_, value, contents) => {
    for (const read of [() => value, async () => value])
      expect(await ask([resource(read)], "resources/read", { uri: "memo://one" })).toEqual({ result: { contents } });
  });

  test("tells a type with the contents, and who reads to the reader", async () => {
    const read = vi.fn(() => "text");
    const params = { uri: "memo://one", _meta: { a: 1 } };
    const answer = await ask([resource(read, { mimeType: "text/css" })], "resources/read", params);
    expect(answer).toEqual({ result: { contents: [{ uri: "memo://one", mimeType: "text/css", text: "text" }] } });
    const signal = expect.any(AbortSignal);
    const meta = { a: 1 };
    expect(read).toHaveBeenCalledExactlyOnceWith({ signal, sessionId: undefined, requestId: 0, server: "s", meta });
  });

  test.each<[string, unknown, RegExp]>([
    ["throws", () => Promise.reject(new Error("boom")), /^boom$/],
    ["gives nothing", () => undefined, /gave no contents/],
    ["gives a number", () => [5], /0 is no object/],
    ["gives contents without a uri", () => [{ text: "x" }], /0 has no string as its uri/],
    ["gives contents of bad base64", () => [{ uri: "a:b", blob: "?" }], /base64/],
  ])("answers with an error where the resource %s", async (_, read, message) => {
    expect(await ask([resource(read)], "resources/read", { uri: "memo://one" })).toEqual({
      error: { code: -32603, message: expect.stringMatching(message) },
    });
  });

  test("knows no others", async () => {
    for (const params of [{ uri: "memo://no" }, { uri: 5 }, {}])
      expect(await ask([memo], "resources/read", params)).toMatchObject({ error: { code: -32002 } });
    expect(await ask([memo], "resources/subscribe", { uri: "memo://one" })).toMatchObject({ error: { code: -32601 } });
  });

  test("gives up a read that is cancelled, or takes too long", async () => {
    const signals: AbortSignal[] = [];
    const slow = resource((context: { signal: AbortSignal }) => {
      signals.push(context.signal);
      return new Promise(() => {});
    });
    const request: JsonRpcMessage = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "memo://one" } };
    const quick = createToolServer({ name: "s", resources: [slow], timeoutMs: 1 }).connect();
    expect(await quick.handle(request)).toMatchObject({ error: { message: "The call took longer than 1 ms." } });
    const patient = createToolServer({ name: "s", resources: [slow] }).connect();
    const open = patient.handle(request);
    await patient.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await open).toMatchObject({ error: { message: "The call was cancelled." } });
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
  });
});

test("a server without resources does not know their methods", async () => {
  for (const method of ["resources/list", "resources/read", "resources/templates/list"])
    expect(await ask([], method)).toMatchObject({ error: { code: -32601, message: "Method not found" } });
});

test.each<[string, unknown, RegExp]>([
  ["without a uri", { uri: "" }, /uri is none/],
  ["with a path in place of a uri", { uri: "a/b" }, /uri is none: "a\/b"/],
  ["without a name", { name: "" }, /no name/],
  ["without a function", { read: "text" }, /no read/],
  ["with a description that is none", { description: 5 }, /description that is no string/],
])("a resource %s is refused", (_, fields, message) => {
  const resources = [{ ...resource(() => ""), ...(fields as object) }];
  expect(() => createToolServer({ name: "s", resources })).toThrow(ToolDefinitionError);
  expect(() => createToolServer({ name: "s", resources })).toThrow(message);
});

test("two resources of one uri are refused", () => {
  const resources = [resource(() => ""), resource(() => "")];
  expect(() => createToolServer({ name: "s", resources })).toThrow(/uri of two resources/);
});
