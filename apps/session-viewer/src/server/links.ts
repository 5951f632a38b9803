import type { LooseEntry } from "@reins/sessions";
import type { Link } from "../protocol.ts";
import { objectOf, stringOf, timeOf } from "./parts.ts";

/** Entries of these types hang below one another. All others are records about the session. */
const chainTypes: ReadonlySet<unknown> = new Set(["user", "assistant", "progress", "system", "attachment"]);

/**
 * Says where an entry hangs in the tree of its conversation.
 *
 * @see contracts/transcripts.md, "The chain"
 */
export function linkOf(entry: LooseEntry, at: number, { isAgent }: { readonly isAgent: boolean }): Link | undefined {
  const uuid = stringOf(entry["uuid"]);
  if (uuid === undefined || !chainTypes.has(entry["type"])) return undefined;
  const compaction = entry["subtype"] === "compact_boundary" ? (objectOf(entry["compactMetadata"]) ?? {}) : undefined;
  const kept = compaction && keptBy(compaction);
  // The CLI reads nothing above a compaction; a person reads on.
  const above = compaction === undefined ? undefined : stringOf(entry["logicalParentUuid"]);
  const parent = above ?? stringOf(entry["parentUuid"]);
  const turn = compaction === undefined ? turnOf(entry, uuid) : uuid;
  const time = timeOf(entry["timestamp"]);
  const isSide = !isAgent && (entry["isSidechain"] === true || Boolean(entry["teamName"]));
  return {
    at,
    uuid,
    ...(parent === undefined ? {} : { parent }),
    ...(entry["type"] === "user" || entry["type"] === "assistant" ? { message: true } : {}),
    ...(turn === undefined ? {} : { turn }),
    ...(time === undefined ? {} : { time }),
    ...(isSide ? { side: true } : {}),
    ...(isPassive(entry) ? { passive: true } : {}),
    ...(kept === undefined ? {} : { kept }),
  };
}

function turnOf(entry: LooseEntry, uuid: string): string | undefined {
  const message = objectOf(entry["message"]);
  // A response is written block by block, one entry each.
  if (entry["type"] === "assistant") return stringOf(message?.["id"]) || uuid;
  if (entry["type"] !== "user" || entry["isMeta"] === true) return undefined;
  const content = message?.["content"];
  const isResult = Array.isArray(content) && content.every((block) => objectOf(block)?.["type"] === "tool_result");
  return isResult ? undefined : uuid;
}

function isPassive(entry: LooseEntry): boolean {
  return entry["type"] === "progress" || objectOf(entry["attachment"])?.["type"] === "fork_briefing";
}

function keptBy(metadata: LooseEntry): Link["kept"] {
  const messages = objectOf(metadata["preservedMessages"]);
  const segment = objectOf(metadata["preservedSegment"]);
  const anchor = stringOf((messages ?? segment)?.["anchorUuid"]);
  const listed = messages === undefined ? [segment?.["headUuid"], segment?.["tailUuid"]] : messages["uuids"];
  const uuids = Array.isArray(listed) ? listed.flatMap((uuid) => stringOf(uuid) ?? []) : [];
  return anchor === undefined || uuids.length === 0 ? undefined : { anchor, uuids };
}
