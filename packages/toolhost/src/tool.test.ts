import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { type StandardSchema, tool } from "./index.ts";

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
