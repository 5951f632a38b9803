import type { Frame } from "@reins/streamjson";

/** Tells which frames are wanted. See the help of `reins frames`. */
export function frameFilter(filters: readonly string[]): (frame: Pick<Frame, "type" | "subtype">) => boolean {
  const without = filters.filter((filter) => filter.startsWith("!")).map((filter) => filter.slice(1));
  const only = filters.filter((filter) => !filter.startsWith("!"));
  return (frame) =>
    (only.length === 0 || only.some((kind) => isOf(frame, kind))) && !without.some((kind) => isOf(frame, kind));
}

function isOf({ type, subtype }: Pick<Frame, "type" | "subtype">, kind: string): boolean {
  const [wantedType, wantedSubtype] = kind.split("/");
  return type === wantedType && (wantedSubtype === undefined || subtype === wantedSubtype);
}
