import fc from "fast-check";
import { expect, test } from "vitest";
import { createToolServer, type JsonRpcMessage, type ToolHandler, tool } from "./index.ts";

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
      fc.constantFrom("initialize", "tools/list", "ping", "notifications/cancelled"),
      { arbitrary: fc.constant("tools/call"), weight: 4 },
      fc.string(),
    ),
    params: fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.constantFrom(...names),
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
      const tools = names.map((name) => {
        const handler = (() => behaviours[name]?.(value)) as ToolHandler<never>;
        return { ...tool(name, "", {}, () => ""), handler };
      });
      const connection = createToolServer({ name: "s", tools }).connect();
      const answers = messages.map((each) => connection.handle(each));
      // What hangs is given up here; what was dropped by a later `initialize` has no answer.
      setTimeout(() => connection.close());
      const lastInitialize = messages.findLastIndex(({ method, id }) => method === "initialize" && id != null);
      for (const [index, answer] of (await Promise.all(answers)).entries()) {
        const { id, method } = messages[index] as JsonRpcMessage;
        const isRequest = method !== undefined && id !== undefined && id !== null;
        const mayBeDropped = method === "tools/call" && (index < lastInitialize || hangs(messages[index]));
        if (!isRequest) expect(answer).toBeUndefined();
        else if (answer === undefined) expect(mayBeDropped).toBe(true);
        else expectValid(answer, id);
      }
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

function hangs(message: JsonRpcMessage | undefined): boolean {
  return (message?.params as { name?: unknown } | undefined)?.name === "hangs";
}

function expectValid(answer: JsonRpcMessage, id: unknown): void {
  expect(Object.keys(answer)).toHaveLength(3);
  expect([answer.jsonrpc, answer.id]).toEqual(["2.0", id]);
  if (answer.error !== undefined) expect(answer.error.code).toBeLessThan(0);
  else expect(answer.result).toBeTypeOf("object");
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
}
