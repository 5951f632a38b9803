import * as z from "zod";
import type { Agreement } from "../agree.ts";
import { messageBase } from "../envelope.ts";
import type { LooseOutput } from "../pinned.ts";

interface Kind<Subtype extends string> {
  readonly type: z.ZodLiteral<"system">;
  readonly subtype: z.ZodLiteral<Subtype>;
}

/** A system message of a subtype, pinned to the type that the annotation names. */
export function system<Type, const Subtype extends string, const Fields extends z.core.$ZodLooseShape>(
  subtype: Subtype,
  fields: Fields & Agreement<LooseOutput<typeof messageBase & Kind<Subtype> & Fields>, Type>,
): z.ZodType<Type> {
  const kind = { type: z.literal("system"), subtype: z.literal(subtype) };
  // The agreement makes it the same type under another name.
  return z.looseObject({ ...kind, ...messageBase, ...fields }) as unknown as z.ZodType<Type>;
}
