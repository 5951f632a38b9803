import type * as z from "zod";
import { kinds } from "../kinds.ts";

interface Exchange {
  readonly request: z.ZodType;
}

/** Any request of a table of requests by subtype. */
export function requestOf<const Table extends { readonly [subtype: string]: Exchange }>(
  table: Table,
): z.ZodType<z.output<Table[keyof Table]["request"]>> {
  const requests = Object.values(table).map(({ request }) => request);
  // A table is never empty.
  return kinds("subtype", requests as [z.ZodType, ...z.ZodType[]]) as z.ZodType<
    z.output<Table[keyof Table]["request"]>
  >;
}
