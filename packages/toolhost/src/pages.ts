import { invalidParams, RequestError } from "./json-rpc.ts";

/**
 * The page of a list that a cursor asks for, with the cursor of the next page if there is one.
 *
 * @param cursor What a page before gave; `undefined` for the first. Counts entries, so a list that changes meanwhile may show one twice.
 * @throws {@link RequestError} for a cursor that is none.
 */
export function pageOf<Entry>(
  entries: readonly Entry[],
  cursor: unknown,
  pageSize: number,
): { readonly entries: readonly Entry[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (cursor !== undefined && (typeof cursor !== "string" || !/^\d{1,15}$/.test(cursor)))
    throw new RequestError(invalidParams, "Invalid cursor");
  const end = start + pageSize;
  return { entries: entries.slice(start, end), ...(end < entries.length && { nextCursor: String(end) }) };
}
