import { type } from "arktype";
import * as v from "valibot";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { type JsonSchema, type StandardSchema, tool } from "./index.ts";

test("a handler's arguments have the type of their schema", () => {
  tool("t", "", { a: z.number(), b: z.string().optional(), c: z.string().default("") }, (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number; c: string; b?: string | undefined }>();
    return "";
  });
  tool("t", "", { a: z.string().transform((text) => text.length) }, (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number }>();
    return "";
  });
  tool("t", "", z.object({ a: z.number() }), (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number }>();
    return "";
  });
  const standard: StandardSchema<{ a?: number }, { a: number }> = {
    "~standard": { version: 1, vendor: "mine", validate: () => ({ value: { a: 1 } }) },
  };
  tool("t", "", standard, (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number }>();
    return "";
  });
  tool("t", "", { type: "object", properties: { a: { type: "number" } }, required: ["a"] }, (input) => {
    expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
    return "";
  });
  tool("t", "", undefined, (input) => {
    expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
    return "";
  });
  // An argument may have the name of a keyword.
  tool("t", "", { type: z.string() }, (input) => {
    expectTypeOf(input).toEqualTypeOf<{ type: string }>();
    return "";
  });
  // @ts-expect-error neither a schema nor a shape
  tool("t", "", { a: 5 }, () => "");
});

test("a handler's arguments have the type of their schema, whatever library it is of", () => {
  const jsonSchema: JsonSchema = { type: "object", properties: { a: { type: "number" } } };
  tool("t", "", { a: z3.number(), b: z3.string().optional(), c: z3.string().default("") }, (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number; c: string; b?: string | undefined }>();
    return "";
  });
  tool("t", "", z3.object({ a: z3.number() }), (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number }>();
    return "";
  });
  tool("t", "", type({ a: "number", "b?": "string" }), (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number; b?: string }>();
    return "";
  });
  const withSchema = { jsonSchema };
  const object = v.object({ a: v.number(), b: v.optional(v.string(), "") });
  const handler = (input: { a: number; b: string }): string => `${input.a}${input.b}`;
  tool("t", "", object, handler, withSchema);
  tool(
    "t",
    "",
    { a: v.number() },
    (input) => {
      expectTypeOf(input).toEqualTypeOf<{ a: number }>();
      return "";
    },
    withSchema,
  );
});

test("a tool in one object is the same as one in a list of parameters", () => {
  const handler = ({ a }: { a: number }): string => String(a);
  const inputSchema = { a: z.number() };
  expect(tool({ name: "t", description: "Does.", inputSchema, handler, alwaysLoad: true })).toEqual(
    tool("t", "Does.", inputSchema, handler, { alwaysLoad: true }),
  );
  expect(tool({ name: "t", description: "", handler: () => "" })).toHaveProperty("inputSchema", undefined);
  tool({
    name: "t",
    description: "",
    inputSchema: { a: z.number() },
    handler: (input, { signal }) => {
      expectTypeOf(input).toEqualTypeOf<{ a: number }>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return "";
    },
  });
  // @ts-expect-error a handler for other arguments
  tool({ name: "t", description: "", inputSchema: { a: z.string() }, handler });
});

test("a handler may return what JSON can carry, and has to return something", () => {
  interface Weather {
    readonly celsius: number;
  }
  const weather: Weather = { celsius: 20 };
  tool("t", "", {}, () => weather);
  tool("t", "", {}, async () => [weather]);
  tool("t", "", {}, () => ({ content: [{ type: "image", data: "", mimeType: "image/png" }] }));
  // @ts-expect-error nothing
  tool("t", "", {}, () => {});
  // @ts-expect-error nothing, later
  tool("t", "", {}, async () => {});
  // @ts-expect-error maybe nothing
  tool("t", "", {}, async () => (Math.random() > 2 ? "" : null));
});

test("a definition holds what it was given", () => {
  const handler = (): string => "";
  const shape = { a: z.number() };
  expect(tool("t", "Does.", shape, handler, { alwaysLoad: true })).toEqual({
    name: "t",
    description: "Does.",
    inputSchema: shape,
    handler,
    alwaysLoad: true,
  });
});
