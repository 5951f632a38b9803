import * as z from "zod";
import type { Agreement, Shape } from "./agree.ts";

/** Output of an object schema that keeps unknown fields. */
export type LooseOutput<Fields extends z.core.$ZodLooseShape> = z.output<z.ZodObject<Fields, z.core.$loose>>;

/**
 * Lets a schema stand for the type that the annotation of the constant names. It does not compile where the two differ, in either
 * direction: a field that one of them lacks, requires or lets be null, and the other does not.
 */
export function pinned<Type, Schema extends z.ZodType>(
  schema: Schema & Agreement<z.output<Schema>, Type>,
): z.ZodType<Type> {
  // The agreement makes it the same type under another name.
  return schema as unknown as z.ZodType<Type>;
}

/** An object that keeps unknown fields, pinned to the type that the annotation names. */
export function loose<Type, const Fields extends z.core.$ZodLooseShape>(
  fields: Fields & Agreement<LooseOutput<Fields>, Type>,
): z.ZodType<Type> {
  // As above.
  return z.looseObject(fields) as unknown as z.ZodType<Type>;
}

/** Fields for several objects to take over, pinned like an object. */
export function shape<Type, const Fields extends z.core.$ZodLooseShape>(
  fields: Fields & Agreement<LooseOutput<Fields>, Type>,
): Shape<Type> {
  // As above: each field's output is that of the type's field.
  return fields as unknown as Shape<Type>;
}
