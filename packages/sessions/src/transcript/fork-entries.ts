import { randomUUID } from "node:crypto";
import { type ChainEntry, isObject } from "./chain-entry.ts";
import type { LooseEntry } from "./fields.ts";

/** Fields that belong to the run that wrote the entry, or point into what a fork does not take over. */
const dropped: ReadonlySet<string> = new Set([
  "teamName",
  "agentName",
  "sessionKind",
  "slug",
  "sourceToolAssistantUUID",
  "summarizedTurnPromptUuids",
  "droppedPromptUuids",
  "sentAsUuid",
  "rowsAheadOfPutBack",
  "turnAttributionKey",
]);

/**
 * Copies entries into another session: with uuids of their own, and hanging together as before.
 *
 * Entries of progress are left out; what hung below one hangs below what that hung below. The last entry gets the time of the fork, so that the
 * fork counts as newer than its source.
 */
export function* forkEntries(
  entries: readonly ChainEntry[],
  source: string,
  target: string,
  now: string,
): Generator<LooseEntry, undefined> {
  const uuids = new Map(entries.map((entry) => [entry.uuid, randomUUID() as string]));
  const parents = new Map(entries.map((entry) => [entry.uuid, entry]));
  const written = entries.filter((entry) => entry.type !== "progress");
  for (const entry of written) {
    const parent = visibleParent(entry, parents);
    const logical = entry["logicalParentUuid"];
    yield {
      ...Object.fromEntries(Object.entries(entry).filter(([name]) => !dropped.has(name))),
      uuid: uuids.get(entry.uuid),
      parentUuid: parent === undefined ? null : uuids.get(parent.uuid),
      ...(logical === undefined ? {} : { logicalParentUuid: uuids.get(String(logical)) ?? null }),
      sessionId: target,
      timestamp: entry === written.at(-1) ? now : (entry["timestamp"] ?? now),
      isSidechain: false,
      forkedFrom: { sessionId: source, messageUuid: entry.uuid },
      ...(entry.type === "assistant" ? { requestSessionId: requestSession(entry) } : {}),
      ...rewritten(entry, uuids),
    };
  }
}

function visibleParent(entry: ChainEntry, all: ReadonlyMap<string, ChainEntry>): ChainEntry | undefined {
  const seen = new Set<string>();
  let parent = all.get(String(entry["parentUuid"]));
  while (parent?.type === "progress" && !seen.has(parent.uuid)) {
    seen.add(parent.uuid);
    parent = all.get(String(parent["parentUuid"]));
  }
  return parent?.type === "progress" ? undefined : parent;
}

/** Under which session the request to the model was counted. */
function requestSession(entry: ChainEntry): unknown {
  const origin = entry["forkedFrom"];
  return entry["requestSessionId"] ?? (isObject(origin) ? origin["sessionId"] : undefined) ?? entry["sessionId"];
}

/** Parts of an entry that name other entries. */
function rewritten(entry: ChainEntry, uuids: ReadonlyMap<string, string>): LooseEntry {
  if (entry["subtype"] === "compact_boundary" && isObject(entry["compactMetadata"])) {
    const { runningTurnSends: _, ...metadata } = entry["compactMetadata"];
    return { compactMetadata: mapUuids(metadata, uuids) };
  }
  if (entry["subtype"] === "model_refusal_fallback") return { neutralizedByFork: true };
  const attachment = entry["attachment"];
  if (
    isObject(attachment) &&
    attachment["type"] === "queued_command" &&
    typeof attachment["source_uuid"] === "string"
  ) {
    const uuid = attachment["source_uuid"];
    return { attachment: { ...attachment, source_uuid: uuids.get(uuid) ?? uuid } };
  }
  return {};
}

/** Replaces known uuids wherever they stand in a value. */
function mapUuids(value: unknown, uuids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return uuids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => mapUuids(item, uuids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapUuids(member, uuids)]));
}
