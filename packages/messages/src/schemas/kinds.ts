import type { UnknownValue } from "@reins/messages";
import * as z from "zod";
import type { SchemasByKind } from "./tables.ts";

type Options = readonly [z.ZodType, ...z.ZodType[]];

/** Objects that are told apart by the value of one field. */
export function kinds<const Known extends Options>(key: string, known: Known): z.ZodType<z.output<Known[number]>> {
  // The annotation of a schema says what it gives, no longer how it was made; zod checks that each has the field.
  const options = known as unknown as [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]];
  return z.discriminatedUnion(key, options) as unknown as z.ZodType<z.output<Known[number]>>;
}

/** The same, from a table of schemas by the value of the field. */
export function kindsOf<Union extends { readonly [K in Key]: string }, const Key extends string>(
  key: Key,
  table: SchemasByKind<Union, Key>,
): z.ZodType<Union> {
  // The table has an entry for every value, and each entry gives the part of the union with that value.
  return kinds(key, Object.values(table) as unknown as Options) as z.ZodType<Union>;
}

/** Objects that are told apart by the value of one field, and those whose value is not known. */
export function openKinds<const Key extends string, const Known extends Options>(
  key: Key,
  known: Known,
): z.ZodType<z.output<Known[number]> | { readonly [K in Key]: UnknownValue }> {
  const unknown = z.looseObject({ [key]: otherThan(valuesOf(key, known)) });
  // The computed key is a string for the compiler.
  return firstOf([key], [kinds(key, known), unknown as unknown as z.ZodType<{ readonly [K in Key]: UnknownValue }>]);
}

/** A string that is none of the known values. The check's `params` tell which, for whoever writes JSON Schemas. */
export function otherThan(known: readonly string[]): z.ZodType<UnknownValue> {
  const schema = z.string().refine((value) => !known.includes(value), {
    // Otherwise a union takes a broken object of a known kind for one of an unknown kind with a small flaw.
    abort: true,
    error: "A known value, so that the other fields have to be what is known of it",
    params: { otherThan: known },
  });
  // No string has that type: it stands for those that no known value is comparable to.
  return schema as unknown as z.ZodType<UnknownValue>;
}

/** The first schema that accepts. If none does, the issue names the first flaw under the schema whose kind the object is. */
export function firstOf<const Known extends Options>(
  keys: readonly string[],
  known: Known,
): z.ZodType<z.output<Known[number]>> {
  return z.union(known, {
    error: (issue) => {
      if (issue.code !== "invalid_union") return undefined;
      const isOfKind = (flaws: readonly z.core.$ZodIssue[]) =>
        flaws.every(({ path }) => !keys.includes(String(path[0])));
      const [flaw] = issue.errors.find(isOfKind) ?? issue.errors[0] ?? [];
      if (flaw === undefined) return undefined;
      return flaw.path.length === 0 ? flaw.message : `${flaw.message} (at ${flaw.path.join(".")})`;
    },
  });
}

/**
 * Names the kind of a union whose members are not all known by a value, so that {@link kinds} can find it.
 *
 * zod works this out for objects and discriminated unions by itself.
 */
export function ofKind<Type extends { readonly [K in Key]: string }, Key extends string>(
  key: Key,
  value: Type[Key],
  schema: z.ZodType<Type>,
): z.ZodType<Type> {
  schema._zod.propValues = { [key]: new Set([value]) };
  return schema;
}

/** The values of a field by which schemas are told apart. */
export function valuesOf(key: string, schemas: Options): string[] {
  return schemas.flatMap((schema) => [...(schema._zod.propValues?.[key] ?? [])].map(String));
}
