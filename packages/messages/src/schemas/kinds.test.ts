import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { UnknownValue } from "../open.ts";
import { firstOf, kinds, ofKind, openKinds, otherThan, valuesOf } from "./kinds.ts";
import { open } from "./open.ts";

const cat = z.looseObject({ type: z.literal("cat"), lives: z.number() });
const dog = z.looseObject({ type: z.enum(["dog", "puppy"]), name: z.string().exactOptional() });

function problemsOf(schema: z.ZodType, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
}

test("an open enumeration takes every string, and nothing else", () => {
  const schema = open("on", "off");
  expect(["on", "later", ""].map((value) => schema.safeParse(value).success)).toEqual([true, true, true]);
  expect([1, null, undefined].map((value) => schema.safeParse(value).success)).toEqual([false, false, false]);
});

test("a closed union refuses a kind that is not known", () => {
  const schema = kinds("type", [cat, dog]);
  expect(schema.parse({ type: "puppy", size: 1 })).toEqual({ type: "puppy", size: 1 });
  expect(schema.safeParse({ type: "bird" }).success).toBe(false);
});

test("an open union takes kinds that are not known, whole", () => {
  const schema = openKinds("type", [cat, dog]);
  expect(schema.parse({ type: "bird", wings: 2 })).toEqual({ type: "bird", wings: 2 });
  expect(schema.safeParse({ type: 1 }).success).toBe(false);
  expect(schema.safeParse({}).success).toBe(false);
  expectTypeOf<Extract<z.output<typeof schema>, { type: UnknownValue }>>().toEqualTypeOf<{
    readonly type: UnknownValue;
  }>();
});

test("a broken object of a known kind is not one of an unknown kind, and the flaw is named", () => {
  expect(problemsOf(openKinds("type", [cat, dog]), { type: "cat", lives: "nine" })).toEqual([
    ": Invalid input: expected number, received string (at lives)",
  ]);
  const nested = openKinds("type", [z.looseObject({ type: z.literal("box"), in: z.array(openKinds("type", [cat])) })]);
  expect(problemsOf(nested, { type: "box", in: [{ type: "cat", lives: 9 }, { type: "cat" }] })).toEqual([
    ": Invalid input: expected number, received undefined (at lives) (at in.1)",
  ]);
});

test("otherThan takes no known value and says which it does not take", () => {
  const schema = otherThan(["a", "b"]);
  expect(["a", "c", "", 1].map((value) => schema.safeParse(value).success)).toEqual([false, true, true, false]);
});

test("a union whose kinds are not all known can be named for its own kind", () => {
  const good = z.looseObject({ type: z.literal("result"), subtype: z.literal("success"), text: z.string() });
  const bad = z.looseObject({
    type: z.literal("result"),
    subtype: otherThan(["success"]),
    errors: z.array(z.string()),
  });
  const result = ofKind("type", "result", firstOf(["subtype"], [good, bad]));
  const schema = kinds("type", [cat, result]);
  expect(schema.safeParse({ type: "result", subtype: "success", text: "" }).success).toBe(true);
  expect(schema.safeParse({ type: "result", subtype: "tomorrow", errors: [] }).success).toBe(true);
  expect(problemsOf(schema, { type: "result", subtype: "success" })[0]).toContain("(at text)");
  expect(problemsOf(schema, { type: "result", subtype: "tomorrow" })[0]).toContain("(at errors)");
  expect(valuesOf("type", [schema])).toEqual(["cat", "result"]);
});
