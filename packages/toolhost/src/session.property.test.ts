import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createToolServer,
  type JsonRpcMessage,
  type PromptDefinition,
  type ResourceDefinition,
  type ToolHandler,
  type ToolServer,
  tool,
  toolResult,
} from "./index.ts";
import { checkAgainstJsonSchema } from "./json-schema-check.ts";

/** What a handler does, for a value: right, wrong, or never. */
const behaviours: Readonly<Record<string, (value: unknown) => unknown>> = {
  returns: (value) => value,
  resolves: async (value) => value,
  throws: (value) => {
    throw value;
  },
  rejects: (value) => Promise.reject(value),
  contains: (value) => ({ content: [value] }),
  carries: (value) => ({ content: [], structuredContent: value, extra: value }),
  labels: (value) => ({ content: [{ type: "text", text: "x", _meta: value }], _meta: value }),
  hangs: () => new Promise(() => {}),
};

const names = Object.keys(behaviours);

const message: fc.Arbitrary<JsonRpcMessage> = fc.record(
  {
    jsonrpc: fc.constant("2.0" as const),
    id: fc.oneof(fc.nat(3), fc.constantFrom("", "1"), fc.string(), fc.constant(null)),
    method: fc.oneof(
      fc.constantFrom("initialize", "tools/list", "ping", "notifications/cancelled", "logging/setLevel"),
      fc.constantFrom("resources/list", "resources/templates/list", "prompts/list"),
      { arbitrary: fc.constantFrom("tools/call", "resources/read", "prompts/get"), weight: 4 },
      fc.string(),
    ),
    params: fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.constantFrom(...names),
        uri: fc.constantFrom(...names.map((name) => `a:${name}`)),
        arguments: fc.oneof(fc.constant({}), fc.jsonValue()),
        _meta: fc.jsonValue(),
      }),
      fc.record({ requestId: fc.oneof(fc.nat(3), fc.string()) }),
    ),
  },
  { requiredKeys: ["jsonrpc"] },
);

const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true });

test("whatever comes and whatever a tool does, a request gets one valid answer with its id, and nothing else gets one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 8 }), anything, async (messages, value) => {
      const connection = serverOf(value).connect();
      const answers = messages.map((each) => connection.handle(each));
      // What hangs is given up here; what was dropped by a later `initialize` has no answer.
      setTimeout(() => connection.close());
      const lastInitialize = messages.findLastIndex(({ method, id }) => method === "initialize" && id != null);
      for (const [index, answer] of (await Promise.all(answers)).entries()) {
        const { id, method } = messages[index] as JsonRpcMessage;
        const isRequest = method !== undefined && id !== undefined && id !== null;
        const mayBeDropped = runs.includes(String(method)) && (index < lastInitialize || hangs(messages[index]));
        if (!isRequest) expect(answer).toBeUndefined();
        else if (answer === undefined) expect(mayBeDropped).toBe(true);
        else expectValid(answer, id);
      }
    }),
  );
});

test("bytes are written as base64 that reads as the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      const [block] = toolResult.image(bytes, "image/png").content;
      const text = atob(String(block?.["data"]));
      expect(Uint8Array.from(text, (character) => character.charCodeAt(0))).toEqual(bytes);
    }),
    { numRuns: 50 },
  );
});

test("a JSON Schema is checked without harm, whatever it is and whatever is checked; the empty one takes everything", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => {
      for (const issue of checkAgainstJsonSchema(schema, value)) expect(issue.message).toBeTypeOf("string");
      expect(checkAgainstJsonSchema({}, value)).toEqual([]);
    }),
  );
});

test("tools that come and go leave the list that the same steps leave of a plain list", async () => {
  const step = fc.record({
    act: fc.constantFrom("add", "remove", "replace"),
    name: fc.constantFrom("a", "b", "a.b", "a b"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const server = createToolServer({ name: "s" });
      let expected: string[] = [];
      const mangled = (name: string): string => name.replaceAll(/[. ]/g, "_");
      for (const { act, name } of steps) {
        const named = tool(name, "", {}, () => "");
        const isThere = expected.includes(name);
        if (act === "remove") {
          expect(server.remove(name)).toBe(isThere);
          expected = expected.filter((other) => other !== name);
        } else if (act === "replace") {
          if (isThere) server.replace(named);
          else expect(() => server.replace(named)).toThrow();
        } else if (expected.some((other) => mangled(other) === mangled(name))) {
          expect(() => server.add(named)).toThrow();
        } else {
          server.add(named);
          expected.push(name);
        }
      }
      const answer = await server.connect().handle({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      expect(answer?.result).toEqual({ tools: expected.map((name) => expect.objectContaining({ name })) });
    }),
  );
});

test("whatever comes that is no message at all is refused without an id", async () => {
  const connection = createToolServer({ name: "s" }).connect();
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (value) => {
      const answer = await connection.handle(value as JsonRpcMessage);
      if (answer !== undefined) expect(answer).toMatchObject({ jsonrpc: "2.0", error: expect.anything() });
    }),
  );
});

/** Methods that run code of the server's owner. */
const runs = ["tools/call", "resources/read", "prompts/get"];

/** A server that has for each behaviour a tool, a resource and a prompt. */
function serverOf(value: unknown): ToolServer {
  const behaves = (name: string): (() => never) => (() => behaviours[name]?.(value)) as () => never;
  return createToolServer({
    name: "s",
    tools: names.map((name) => ({ ...tool(name, "", {}, () => ""), handler: behaves(name) as ToolHandler<never> })),
    resources: names.map((name): ResourceDefinition => ({ uri: `a:${name}`, name, read: behaves(name) })),
    prompts: names.map((name): PromptDefinition => ({ name, get: behaves(name) })),
  });
}

function hangs(message: JsonRpcMessage | undefined): boolean {
  const { name, uri } = (message?.params ?? {}) as { name?: unknown; uri?: unknown };
  return name === "hangs" || uri === "a:hangs";
}

function expectValid(answer: JsonRpcMessage, id: unknown): void {
  expect(Object.keys(answer)).toHaveLength(3);
  expect([answer.jsonrpc, answer.id]).toEqual(["2.0", id]);
  if (answer.error !== undefined) expect(answer.error.code).toBeLessThan(0);
  else expect(answer.result).toBeTypeOf("object");
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
}
