import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { createToolServer, type InputSchema, type JsonRpcMessage, type JsonSchema, tool } from "./index.ts";

/** What a client gets from a tool that tells its arguments: the schema in the list, and the texts of calls. */
async function serve(
  schema: InputSchema,
  calls: readonly Record<string, unknown>[],
  jsonSchema?: JsonSchema,
): Promise<{ readonly listed: unknown; readonly texts: readonly unknown[] }> {
  const echo = tool("t", "", schema, (input) => ({ got: input }), jsonSchema && { jsonSchema });
  const connection = createToolServer({ name: "s", tools: [echo] }).connect();
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    const message: JsonRpcMessage = { jsonrpc: "2.0", id: 1, method, params };
    return (await connection.handle(message))?.result;
  };
  const list = (await ask("tools/list", {})) as { tools: { inputSchema: unknown }[] };
  const results = calls.map(async (args) => {
    const result = (await ask("tools/call", { name: "t", arguments: args })) as { content: { text: string }[] };
    return result.content[0]?.text;
  });
  return { listed: list.tools[0]?.inputSchema, texts: await Promise.all(results) };
}

const wanted: JsonSchema = {
  type: "object",
  properties: { a: { type: "string" }, b: { type: "number" } },
  required: ["a"],
};

const calls = [{ a: "x", b: 1 }, { b: 1 }, { a: "x", b: "1" }];

describe("a schema reaches the client and guards the handler:", () => {
  test.each<[string, InputSchema, JsonSchema?]>([
    ["a zod 4 object", z.object({ a: z.string(), b: z.number().optional() })],
    ["a zod 4 shape", { a: z.string(), b: z.number().optional() }],
    ["a zod 3 object", z3.object({ a: z3.string(), b: z3.number().optional() })],
    ["a zod 3 shape", { a: z3.string(), b: z3.number().optional() }],
    ["a zod/mini object", mini.object({ a: mini.string(), b: mini.optional(mini.number()) }), wanted],
    ["a zod/mini shape", { a: mini.string(), b: mini.optional(mini.number()) }, wanted],
    ["a valibot object", v.object({ a: v.string(), b: v.optional(v.number()) }), wanted],
    ["a valibot shape", { a: v.string(), b: v.optional(v.number()) }, wanted],
    ["an arktype object", type({ a: "string", "b?": "number" })],
    ["an arktype shape", { a: type("string"), b: type("number | undefined") }, wanted],
    ["a JSON Schema", wanted],
  ])("%s", async (_, schema, jsonSchema) => {
    const { listed, texts } = await serve(schema, calls, jsonSchema);
    expect(listed).toMatchObject(wanted);
    expect(texts).toEqual([
      '{"got":{"a":"x","b":1}}',
      expect.stringMatching(/^Invalid arguments for tool t: a\b/),
      expect.stringMatching(/^Invalid arguments for tool t: b\b/),
    ]);
  });
});

test.each<[string, InputSchema, JsonSchema | undefined, RegExp]>([
  ["of valibot without one", v.object({}), undefined, /of valibot that cannot tell its JSON Schema. .*jsonSchema/],
  ["that is a JSON Schema and has another", wanted, wanted, /jsonSchema beside an input schema that is one/],
  ["with one that is no object", v.object({}), { type: "string" } as never, /no object at the top/],
])("a schema %s is refused", async (_, schema, jsonSchema, message) => {
  await expect(serve(schema, [], jsonSchema)).rejects.toThrow(message);
});

describe("a schema of zod 3", () => {
  test("says what zod 3 checks, in JSON Schema", async () => {
    const shape = {
      text: z3.string().min(1).max(9).regex(/^a/).describe("a text"),
      exact: z3.string().length(3).email(),
      flags: z3.string().regex(/a/i).ip(),
      int: z3.number().int().min(1).lt(10),
      step: z3.number().gt(0).max(1).multipleOf(0.5).finite(),
      flag: z3.boolean(),
      nothing: z3.null(),
      any: z3.any(),
      unknown: z3.unknown(),
      literal: z3.literal("x"),
      choice: z3.enum(["x", "y"]),
      numbers: z3.nativeEnum({ A: 0, 0: "A", B: "b" } as const),
      list: z3.array(z3.string()).min(1).max(2),
      pair: z3.array(z3.string()).length(2),
      tuple: z3.tuple([z3.string(), z3.number()]),
      rest: z3.tuple([z3.string()]).rest(z3.number()),
      record: z3.record(z3.number()),
      union: z3.union([z3.string(), z3.number()]),
      tagged: z3.discriminatedUnion("t", [z3.object({ t: z3.literal(1) }).strict()]),
      both: z3.intersection(z3.object({ a: z3.string() }), z3.object({}).catchall(z3.number())),
      nullable: z3.string().nullable(),
      branded: z3.string().catch("").readonly().brand("x"),
      lazy: z3.lazy(() => z3.string().date()),
      effect: z3.string().transform((value) => value.length),
      pipe: z3.string().pipe(z3.coerce.number()),
      never: z3.never().optional(),
      fallback: z3.number().default(5).describe("outer"),
    };
    const { listed } = await serve(z3.object(shape), []);
    expect(listed).toEqual({
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, maxLength: 9, pattern: "^a", description: "a text" },
        exact: { type: "string", minLength: 3, maxLength: 3, format: "email" },
        flags: { type: "string" },
        int: { type: "integer", minimum: 1, exclusiveMaximum: 10 },
        step: { type: "number", exclusiveMinimum: 0, maximum: 1, multipleOf: 0.5 },
        flag: { type: "boolean" },
        nothing: { type: "null" },
        any: {},
        unknown: {},
        literal: { const: "x" },
        choice: { type: "string", enum: ["x", "y"] },
        numbers: { enum: [0, "b"] },
        list: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
        pair: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 2 },
        tuple: { type: "array", items: [{ type: "string" }, { type: "number" }], minItems: 2, additionalItems: false },
        rest: { type: "array", items: [{ type: "string" }], minItems: 1, additionalItems: { type: "number" } },
        record: { type: "object", additionalProperties: { type: "number" } },
        union: { anyOf: [{ type: "string" }, { type: "number" }] },
        tagged: {
          anyOf: [{ type: "object", properties: { t: { const: 1 } }, required: ["t"], additionalProperties: false }],
        },
        both: {
          allOf: [
            { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
            { type: "object", properties: {}, additionalProperties: { type: "number" } },
          ],
        },
        nullable: { anyOf: [{ type: "string" }, { type: "null" }] },
        branded: { type: "string" },
        lazy: { type: "string", format: "date" },
        effect: { type: "string" },
        pipe: { type: "string" },
        never: { not: {} },
        fallback: { type: "number", default: 5, description: "outer" },
      },
      required: expect.not.arrayContaining(["never", "fallback", "any", "unknown", "branded"]),
    });
  });

  test.each<[string, InputSchema]>([
    ["a date", { a: z3.date() }],
    ["a bigint literal", { a: z3.literal(1n) }],
    [
      "itself",
      (() => {
        const tree: z3.ZodTypeAny = z3.lazy(() => z3.object({ tree: tree.optional() }));
        return { tree };
      })(),
    ],
  ])("that holds %s needs its JSON Schema said", async (_, schema) => {
    await expect(serve(schema, [])).rejects.toThrow(/JSON Schema cannot express.*option jsonSchema/);
    expect((await serve(schema, [], wanted)).listed).toEqual(wanted);
  });
});
