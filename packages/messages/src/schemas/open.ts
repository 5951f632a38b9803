import type { OpenString } from "@reins/messages";
import * as z from "zod";

/** A string of which some values are known, and every other one is good too. */
export function open<const Known extends readonly [string, ...string[]]>(
  ...known: Known
): z.ZodType<OpenString<Known[number]>> {
  return z.union([z.enum(known), z.string()]);
}

/** An object of which nothing more is known. */
export const jsonObject: z.ZodType<Readonly<Record<string, unknown>>> = z.record(z.string(), z.unknown());
