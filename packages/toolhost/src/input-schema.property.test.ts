import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { prepareInput } from "./input-schema.ts";
import { checkAgainstJsonSchema } from "./json-schema-check.ts";

const value = fc.oneof(
  fc.constantFrom(undefined, null, true, 0, 1, 1.5, -3, "", "x", "abc", "y"),
  fc.array(fc.constantFrom<unknown>("x", 1, null), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom<unknown>("x", 1, null), { maxKeys: 2 }),
);

const input = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 });

/** Schemas of zod 4 for members, some of which may be missing or are filled in. */
const member = fc.constantFrom<z.ZodType>(
  z.string(),
  z.number().int().min(0),
  z.boolean().optional(),
  z.string().default("x"),
  z.unknown(),
  z.null(),
  z.array(z.string()),
  z.object({ a: z.string(), b: z.number().optional() }),
  z.union([z.string(), z.number()]).nullable(),
  z.number().catch(5),
  z.string().transform((text) => text.length),
  z.string().nullish(),
);

test("a shape takes and gives what zod's object of it takes and gives", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom("a", "b", "c"), member, { maxKeys: 3 }),
      input,
      async (shape, given) => {
        const own = await prepareInput("t", shape).validate(given);
        const zods = await prepareInput("t", z.object(shape)).validate(given);
        if (zods.issues !== undefined) {
          const paths = (issues: typeof zods.issues): string[] => issues.map(({ path }) => JSON.stringify(path)).sort();
          expect(paths(own.issues ?? [])).toEqual(paths(zods.issues));
        } else expect(own).toEqual(zods);
      },
    ),
  );
});

const z3Schema: fc.Arbitrary<z3.ZodTypeAny> = fc.letrec<{ schema: z3.ZodTypeAny }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<z3.ZodTypeAny>(
      z3.string(),
      z3.string().min(2),
      z3.number().int(),
      z3.number().max(1),
      z3.boolean(),
      z3.null(),
      z3.literal("x"),
      z3.enum(["x", "y"]),
      z3.unknown(),
    ),
    tie("schema").map((schema) => schema.optional()),
    tie("schema").map((schema) => schema.nullable()),
    tie("schema").map((schema) => z3.array(schema)),
    tie("schema").map((schema) => z3.record(schema)),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z3.union([a, b])),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z3.object({ a, b })),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z3.tuple([a, b])),
  ),
})).schema;

test("what zod 3 takes, the JSON Schema that is read off it takes too", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b"), z3Schema, { maxKeys: 2 }), input, (shape, given) => {
      const object = z3.object(shape);
      const { jsonSchema } = prepareInput("t", object);
      // What is written as JSON has no members that are undefined.
      const sent: unknown = JSON.parse(JSON.stringify(given));
      fc.pre(object.safeParse(sent).success);
      expect(checkAgainstJsonSchema(jsonSchema, sent)).toEqual([]);
    }),
  );
});
