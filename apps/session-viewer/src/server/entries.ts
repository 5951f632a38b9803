import type { SessionKey } from "@reins/sessions";
import type { EntryView } from "../protocol.ts";
import type { Library, PlacedEntry } from "./library.ts";
import { type PartLimits, partsOf, stringOf } from "./parts.ts";

/** Reading on over a gap costs less than opening the file again, up to here. In a store it is a count of entries, and the same holds. */
const maxGap = 262_144;

/** Reads the entries at some places, in one pass where they are near each other. A place where no entry begins gives none. */
export async function readEntries(
  library: Library,
  key: SessionKey,
  places: readonly number[],
  limits: PartLimits,
  signal: AbortSignal,
): Promise<readonly EntryView[]> {
  const views: EntryView[] = [];
  const wanted = [...new Set(places)].sort((a, b) => a - b);
  for (let start = wanted[0]; start !== undefined; start = wanted[0]) {
    for await (const placed of library.read(key, start, signal)) {
      // No entry begins there.
      while (wanted[0] !== undefined && wanted[0] < placed.at) wanted.shift();
      if (wanted[0] === placed.at) {
        views.push(viewOf(placed, limits));
        wanted.shift();
      }
      if (wanted[0] === undefined || wanted[0] - placed.next > maxGap) break;
    }
    // There is nothing from there on.
    if (wanted[0] === start) wanted.shift();
  }
  return views;
}

function viewOf({ at, entry, problem }: PlacedEntry, limits: PartLimits): EntryView {
  if (entry === undefined) {
    const text = problem ?? "";
    return { at, parts: [{ kind: "record", name: "unreadable line", text, length: text.length }] };
  }
  const uuid = stringOf(entry["uuid"]);
  return { at, parts: partsOf(entry, limits), ...(uuid === undefined ? {} : { uuid }) };
}
