import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { string as miniString } from "zod/mini";
import { ToolDefinitionError } from "./errors.ts";
import { type InputSchema, prepareInput } from "./input-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";

function schemaOf(schema: InputSchema | undefined): unknown {
  return prepareInput("t", schema).jsonSchema;
}

/** A schema of a library that has nothing but the standard interface. */
function standard(
  validate: (value: unknown) => ReturnType<StandardSchema["~standard"]["validate"]>,
  jsonSchema?: Record<string, unknown>,
): StandardSchema {
  const input = jsonSchema && { input: () => jsonSchema };
  return { "~standard": { version: 1, vendor: "mine", validate, ...(input && { jsonSchema: input }) } };
}

describe("a schema", () => {
  test("of zod, as a shape and as an object, says the same as zod itself", () => {
    const shape = {
      a: z.number().int().describe("an a"),
      b: z.string().optional(),
      c: z.enum(["x", "y"]).default("x"),
      d: z.array(z.object({ e: z.boolean() })),
      f: z.unknown(),
      g: z.string().nullable(),
      h: z.string().transform((text) => text.length),
      i: z.coerce.number(),
      j: z.record(z.string(), z.union([z.string(), z.number()])),
    };
    const expected = z.toJSONSchema(z.object(shape), { target: "draft-7", io: "input" });
    expect(schemaOf(z.object(shape))).toEqual(expected);
    const { $schema: _, ...withoutDialect } = expected;
    expect(schemaOf(shape)).toEqual(withoutDialect);
  });

  test("of a shape keeps the references of its members right", () => {
    interface Tree {
      children: Tree[];
    }
    const tree: z.ZodType<Tree> = z.object({ children: z.lazy(() => z.array(tree)) });
    const point = z.object({ x: z.number() }).meta({ id: "point" });
    const schema = schemaOf({ "a/b": tree, line: z.object({ from: point, to: point }) });
    const references = JSON.stringify(schema).matchAll(/"\$ref":"#([^"]*)"/g);
    const targets = Array.from(references, ([, pointer = ""]) => resolve(schema, pointer));
    expect(targets).toEqual([
      expect.objectContaining({ required: ["children"] }),
      expect.objectContaining({ required: ["x"] }),
      expect.objectContaining({ required: ["x"] }),
    ]);
  });

  test("in JSON is passed through, byte for byte, and is not changed from outside later", () => {
    const schema = {
      $comment: "kept",
      required: ["a"],
      type: "object",
      properties: { a: { type: ["number", "null"] }, b: true },
      additionalProperties: false,
    } as const;
    const text = JSON.stringify(schema);
    const prepared = prepareInput("t", schema);
    (schema.required as unknown as string[]).push("b");
    expect(JSON.stringify(prepared.jsonSchema)).toBe(text);
  });

  test.each([undefined, {}])("that is none, or empty, takes no arguments (%s)", async (schema) => {
    const { jsonSchema, validate } = prepareInput("t", schema);
    expect(jsonSchema).toEqual({ type: "object", properties: {} });
    expect(await validate({ a: 1 })).toEqual({ value: {} });
  });

  test("of another library needs only the standard interface, as a member of a shape too", async () => {
    const number = standard(
      async (value) => (typeof value === "number" ? { value } : { issues: [{ message: "no number" }] }),
      { type: "number" },
    );
    const optional = standard((value) => ({ value }), { type: "string" });
    const throwing = standard(
      (value) => {
        if (value === undefined) throw new Error("give something");
        return { value };
      },
      { type: "string" },
    );
    const { jsonSchema, validate } = prepareInput("t", { number, optional, throwing });
    expect(jsonSchema.required).toEqual(["number", "throwing"]);
    expect(await validate({ number: 1, throwing: "x" })).toEqual({ value: { number: 1, throwing: "x" } });
    expect(await validate({ number: "1", throwing: "x" })).toEqual({
      issues: [{ message: "no number", path: ["number"] }],
    });
  });

  test.each<[string, unknown, RegExp]>([
    ["with a union at the top", z.union([z.object({}), z.object({ a: z.string() })]), /no object at the top/],
    ["that JSON cannot express", z.object({ a: z.date() }), /cannot express/],
    ["with an argument that JSON cannot express", { a: z.date() }, /argument "a".*cannot express/],
    ["without a conversion", standard((value) => ({ value })), /of mine that cannot tell its JSON Schema/],
    [
      "of zod/mini",
      { a: miniString() },
      /argument "a".*of zod that cannot tell its JSON Schema. Say it with .* can from 4.2 on/,
    ],
    ["of JSON whose required is no list", { type: "object", required: "a" }, /required/],
    ["of JSON whose required is no list of names", { type: "object", required: [5] }, /required/],
    ["of JSON whose properties are a list", { type: "object", properties: [] }, /properties/],
    ["of JSON with a property that is none", { type: "object", properties: { a: 5 } }, /"a" is no schema/],
    ["of JSON with a wrong type", { type: "object", properties: { a: { type: "strin" } } }, /the type "strin"/],
    ["of JSON with a BigInt", { type: "object", default: 1n }, /cannot be written/],
    ["of JSON with no object at the top", { type: "string" }, /unknown form/],
    ["that is an object of something else", { a: 5 }, /unknown form/],
    ["that is null", null, /unknown form/],
  ])("%s is refused", (_, schema, message) => {
    const prepare = (): unknown => prepareInput("t", schema);
    expect(prepare).toThrow(ToolDefinitionError);
    expect(prepare).toThrow(message);
  });
});

describe("arguments", () => {
  test.each([
    ["a shape", { a: z.number(), b: z.string().default("b"), c: z.string().optional() }],
    ["an object", z.object({ a: z.number(), b: z.string().default("b"), c: z.string().optional() })],
  ])("that fit are what the schema makes of them (%s)", async (_, schema) => {
    const checked = await prepareInput("t", schema).validate({ a: 1, extra: true });
    expect(checked).toEqual({ value: { a: 1, b: "b" } });
    expect(Object.keys("value" in checked ? (checked.value as object) : {})).toEqual(["a", "b"]);
  });

  test.each([
    ["a shape", { a: z.unknown(), b: z.number().catch(0), c: z.null().prefault(null) }],
    ["an object", z.object({ a: z.unknown(), b: z.number().catch(0), c: z.null().prefault(null) })],
  ])("may be missing where zod lets them (%s)", async (_, schema) => {
    const { validate } = prepareInput("t", schema);
    expect(await validate({ a: 1 })).toEqual({ value: { a: 1, b: 0, c: null } });
    expect(await validate({})).toMatchObject({ issues: [{ path: ["a"] }] });
  });

  test("are checked once, and a check that rejects is all that does", async () => {
    const check = vi.fn(async (): Promise<boolean> => {
      throw new Error("no database");
    });
    for (const schema of [{ a: z.number().refine(check) }, z.object({ a: z.number().refine(check) })])
      await expect(prepareInput("t", schema).validate({ a: 1 })).rejects.toThrow("no database");
    expect(check).toHaveBeenCalledTimes(2);
  });

  test.each<[string, InputSchema]>([
    ["a shape", { a: z.number() }],
    ["an object", z.object({ a: z.number() })],
    ["JSON Schema", { type: "object", properties: { a: { type: "number" } }, required: ["a"] }],
  ])("that do not fit are told by name (%s)", async (_, schema) => {
    const { validate } = prepareInput("t", schema);
    for (const input of [{}, { a: "1" }, { a: null }, { b: 1 }])
      expect(await validate(input)).toMatchObject({ issues: [{ path: ["a"] }] });
  });

  test.each<[unknown, unknown, boolean]>([
    ["integer", 1, true],
    ["integer", 1.5, false],
    ["null", null, true],
    ["array", [], true],
    ["array", {}, false],
    ["object", {}, true],
    ["object", [], false],
    ["boolean", 0, false],
    [["string", "null"], null, true],
    [["string", "null"], 1, false],
  ])("of a JSON Schema are checked for their type: %j takes %j: %s", async (type, value, fits) => {
    const { validate } = prepareInput("t", { type: "object", properties: { a: { type } } });
    expect("value" in (await validate({ a: value }))).toBe(fits);
  });

  test("of a JSON Schema are checked at every depth, and for nothing that is not sure", async () => {
    const { validate } = prepareInput("t", {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
        kind: { const: "x" },
        any: { anyOf: [{ type: "string" }], items: false, properties: 5, required: "n" },
        maybe: { type: ["object", "null"], required: ["a"] },
      },
    });
    expect(await validate({ list: [{ n: 1 }], kind: "x", any: [5], maybe: null })).toHaveProperty("value");
    expect(await validate({ list: [{ n: 1 }, { n: 1.5 }, {}, 5], kind: "y", maybe: {} })).toEqual({
      issues: [
        { path: ["list", 1, "n"], message: "expected integer" },
        { path: ["list", 2, "n"], message: "is required" },
        { path: ["list", 3], message: "expected object" },
        { path: ["kind"], message: 'expected "x"' },
        { path: ["maybe", "a"], message: "is required" },
      ],
    });
  });

  test("of a JSON Schema are checked for their enum", async () => {
    const { validate } = prepareInput("t", { type: "object", properties: { a: { enum: ["x", { y: 1 }] } } });
    expect(await validate({ a: { y: 1 } })).toEqual({ value: { a: { y: 1 } } });
    expect(await validate({ a: "z" })).toEqual({
      issues: [{ path: ["a"], message: 'expected one of ["x",{"y":1}]' }],
    });
  });

  test("of a shape may be called __proto__ without harm", async () => {
    const { jsonSchema, validate } = prepareInput("t", {
      ["__proto__"]: z.object({ polluted: z.boolean() }).optional(),
      a: z.number(),
    });
    expect(Object.keys(jsonSchema.properties ?? {})).toEqual(["__proto__", "a"]);
    const checked = await validate(JSON.parse('{"a":1,"__proto__":{"polluted":true}}'));
    const value = "value" in checked ? checked.value : undefined;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value as object, "__proto__")).toBe(true);
    expect("polluted" in {}).toBe(false);
  });
});

/** What a JSON pointer points at. */
function resolve(schema: unknown, pointer: string): unknown {
  const keys = decodeURIComponent(pointer).split("/").slice(1);
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")],
    schema,
  );
}
