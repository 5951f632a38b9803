import { type ChainEntry, fieldOf, isObject } from "./chain-entry.ts";
import { EntryGraph } from "./entry-graph.ts";

/**
 * The part of a transcript that a fork at a message takes over: what stands before it in the file, and itself.
 *
 * @param entries In the order of the file, without those of subagents.
 * @returns `undefined` where there is no such message; no entries where nothing comes before it.
 * @see contracts/transcripts.md, "Forks"; verified against the Agent SDK 0.3.328
 */
export function cutAt(entries: readonly ChainEntry[], messageId: string): ChainEntry[] | undefined {
  const graph = new EntryGraph(entries);
  const ordered = [...graph.entries.values()];
  const target = graph.entries.get(messageId) ?? ordered.findLast((entry) => sourceOf(entry) === messageId);
  if (target === undefined) return undefined;
  if (isBoundary(target) && !isRewind(target)) return beforeBoundary(ordered, target);
  const boundary = boundaryAbove(graph, target);
  if (boundary !== undefined && !isRewind(boundary)) {
    return target["isCompactSummary"] === true
      ? upTo(ordered, target).map((entry) => (entry === boundary ? withoutKept(boundary) : entry))
      : beforeBoundary(ordered, boundary);
  }
  return endingAt(upTo(ordered, target), target);
}

/** What the uuid of a queued prompt's message is taken from. */
function sourceOf(entry: ChainEntry): unknown {
  const attachment = entry["attachment"];
  return fieldOf(attachment, "type") === "queued_command" ? fieldOf(attachment, "source_uuid") : undefined;
}

function isBoundary(entry: ChainEntry): boolean {
  return entry.type === "system" && entry["subtype"] === "compact_boundary";
}

/** A boundary that the CLI wrote when somebody went back behind a compaction: it keeps what it names and has no summary. */
function isRewind(boundary: ChainEntry): boolean {
  const metadata = boundary["compactMetadata"];
  const anchor = fieldOf(fieldOf(metadata, "preservedMessages") ?? fieldOf(metadata, "preservedSegment"), "anchorUuid");
  return fieldOf(metadata, "durationMs") === 0 && anchor === boundary.uuid;
}

/** The boundary that an entry hangs below, if there is no message in between: then it is its summary, or stands before that. */
function boundaryAbove(graph: EntryGraph, target: ChainEntry): ChainEntry | undefined {
  for (const entry of graph.upFrom(target)) {
    if (isBoundary(entry)) return entry;
    const isBetween = entry === target || (entry.type !== "user" && entry.type !== "assistant");
    if (!isBetween) return undefined;
  }
  return undefined;
}

/** The end of the conversation before a compaction: what it kept last, or else what it says it followed. */
function beforeBoundary(ordered: readonly ChainEntry[], boundary: ChainEntry): ChainEntry[] {
  const before = ordered.slice(0, ordered.indexOf(boundary));
  const metadata = boundary["compactMetadata"];
  const kept = fieldOf(fieldOf(metadata, "preservedMessages"), "uuids");
  const ends = [
    Array.isArray(kept) ? kept.at(-1) : undefined,
    fieldOf(fieldOf(metadata, "preservedSegment"), "tailUuid"),
    boundary["logicalParentUuid"],
  ];
  for (const end of ends) {
    const last = before.find((entry) => entry.uuid === end);
    if (last !== undefined) return endingAt(upTo(before, last), last);
  }
  return before;
}

function withoutKept(boundary: ChainEntry): ChainEntry {
  const metadata = boundary["compactMetadata"];
  if (!isObject(metadata)) return boundary;
  const { preservedMessages: _messages, preservedSegment: _segment, postTokens: _tokens, ...rest } = metadata;
  return { ...boundary, compactMetadata: rest };
}

function upTo(ordered: readonly ChainEntry[], last: ChainEntry): ChainEntry[] {
  return ordered.slice(0, ordered.indexOf(last) + 1);
}

/** Drops other branches where one of them, and not the message that was asked for, would be the end of the conversation. */
function endingAt(entries: ChainEntry[], last: ChainEntry): ChainEntry[] {
  const graph = new EntryGraph(entries);
  const chain = [...graph.upFrom(last)];
  const kept = new Set(chain);
  const leaf = graph.leaf();
  if (leaf === undefined || kept.has(leaf)) return entries;
  const start = entries.indexOf(chain.at(-1)!);
  return entries.filter((entry, index) => index < start || kept.has(entry));
}
