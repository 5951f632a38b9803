import { expect, test } from "vitest";
import * as z from "zod";
import type { OpenString } from "../open.ts";
import { open } from "./open.ts";
import { loose, pinned, shape } from "./pinned.ts";

// The proof of each schema is its own definition: it compiles only if its output and the hand-written type are the same. What follows
// proves the proof. Each directive is an error of its own when the line under it compiles.

interface Written {
  readonly id: string;
  readonly note?: string | null;
  readonly tags: readonly string[];
  readonly mode: OpenString<"on" | "off">;
  readonly inner?: { readonly count: number };
  readonly by_name: Readonly<Record<string, number>>;
  readonly rest: Readonly<Record<string, unknown>>;
  /** A host may write undefined. */
  readonly option?: boolean | undefined;
}

const fields = {
  id: z.string(),
  note: z.string().nullable().exactOptional(),
  tags: z.array(z.string()),
  mode: open("on", "off"),
  inner: z.looseObject({ count: z.number() }).exactOptional(),
  by_name: z.record(z.string(), z.number()),
  rest: z.record(z.string(), z.unknown()),
  option: z.boolean().optional(),
};

test("a schema that agrees with its type compiles, and is the schema", () => {
  const schema: z.ZodType<Written> = loose(fields);
  const written = {
    id: "a",
    tags: ["x"],
    mode: "a mode of tomorrow",
    by_name: { one: 1 },
    rest: { any: [] },
    new: true,
  };
  expect(schema.parse(written)).toEqual(written);
  const plain = z.string();
  const same: z.ZodType<string> = pinned(plain);
  expect(same).toBe(plain);
});

test("a field that one side lacks does not compile", () => {
  const { note: _, ...less } = fields;
  // @ts-expect-error The schema lacks an optional field.
  const missing: z.ZodType<Written> = loose(less);
  // @ts-expect-error The type lacks a required field.
  const extra: z.ZodType<Written> = loose({ ...fields, more: z.string() });
  // @ts-expect-error The type lacks an optional field.
  const extraOptional: z.ZodType<Written> = loose({ ...fields, more: z.string().exactOptional() });
  expect([missing, extra, extraOptional]).toHaveLength(3);
});

test("a field that one side requires and the other does not does not compile", () => {
  // @ts-expect-error Optional in the schema only.
  const optional: z.ZodType<Written> = loose({ ...fields, id: z.string().exactOptional() });
  // @ts-expect-error Required in the schema only.
  const required: z.ZodType<Written> = loose({ ...fields, note: z.string().nullable() });
  // @ts-expect-error The CLI writes JSON, which has no undefined.
  const undefinedToo: z.ZodType<Written> = loose({ ...fields, note: z.string().nullable().optional() });
  // @ts-expect-error A host may write undefined.
  const exact: z.ZodType<Written> = loose({ ...fields, option: z.boolean().exactOptional() });
  expect([optional, required, undefinedToo, exact]).toHaveLength(4);
});

test("a field that one side lets be null and the other does not does not compile", () => {
  // @ts-expect-error Null in the schema only.
  const nullable: z.ZodType<Written> = loose({ ...fields, id: z.string().nullable() });
  // @ts-expect-error Null in the type only.
  const never: z.ZodType<Written> = loose({ ...fields, note: z.string().exactOptional() });
  expect([nullable, never]).toHaveLength(2);
});

test("a value that one side takes and the other does not does not compile", () => {
  // @ts-expect-error Another type.
  const other: z.ZodType<Written> = loose({ ...fields, id: z.number() });
  // @ts-expect-error Anything at all.
  const anything: z.ZodType<Written> = loose({ ...fields, id: z.any() });
  // @ts-expect-error Nothing is known of it.
  const unknown: z.ZodType<Written> = loose({ ...fields, id: z.unknown() });
  // @ts-expect-error Deep inside.
  const deep: z.ZodType<Written> = loose({ ...fields, inner: z.looseObject({ count: z.string() }).exactOptional() });
  // @ts-expect-error Of the values of a record.
  const record: z.ZodType<Written> = loose({ ...fields, by_name: z.record(z.string(), z.string()) });
  // @ts-expect-error Of the items of a list.
  const items: z.ZodType<Written> = loose({ ...fields, tags: z.array(z.unknown()) });
  // @ts-expect-error A known value fewer.
  const fewer: z.ZodType<Written> = loose({ ...fields, mode: open("on") });
  // @ts-expect-error A known value more.
  const more: z.ZodType<Written> = loose({ ...fields, mode: open("on", "off", "idle") });
  // @ts-expect-error Closed.
  const closed: z.ZodType<Written> = loose({ ...fields, mode: z.enum(["on", "off"]) });
  expect([other, anything, unknown, deep, record, items, fewer, more, closed]).toHaveLength(9);
});

test("without a type to stand for nothing compiles", () => {
  // @ts-expect-error No annotation says which type it is.
  const loosely = loose(fields);
  // @ts-expect-error No annotation says which type it is.
  const pinnedly = pinned(z.string());
  // @ts-expect-error No annotation says which type it is.
  const shapely = shape(fields);
  expect([loosely, pinnedly, shapely]).toHaveLength(3);
});

test("unions are compared member by member", () => {
  type Either = { readonly kind: "a"; readonly x: number } | { readonly kind: "b"; readonly y?: string };
  const a = z.looseObject({ kind: z.literal("a"), x: z.number() });
  const b = z.looseObject({ kind: z.literal("b"), y: z.string().exactOptional() });
  const both: z.ZodType<Either> = pinned(z.union([a, b]));
  // @ts-expect-error A member fewer.
  const fewer: z.ZodType<Either> = pinned(a);
  // @ts-expect-error A member more.
  const more: z.ZodType<Either> = pinned(z.union([a, b, z.looseObject({ kind: z.literal("c") })]));
  // @ts-expect-error A member is otherwise.
  const other: z.ZodType<Either> = pinned(z.union([a, z.looseObject({ kind: z.literal("b"), y: z.string() })]));
  expect([both, fewer, more, other]).toHaveLength(4);
});
