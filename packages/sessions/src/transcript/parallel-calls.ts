import { answeredCalls, blocksOf, type ChainEntry, fieldOf, isMessageEntry } from "./chain-entry.ts";
import type { EntryGraph } from "./entry-graph.ts";

/**
 * Puts back what the chain passes by when a response calls several tools: each result hangs below its own call, so that only one of them lies
 * on the way to the leaf.
 *
 * @see contracts/transcripts.md, "Parallel calls"; verified against the Agent SDK 0.3.328
 */
export function withParallelCalls(chain: readonly ChainEntry[], graph: EntryGraph): ChainEntry[] {
  // Most conversations have no parallel calls, and to index the responses takes longer than all else but to read them.
  if (countMessages(chain) === countMessages(graph.entries.values())) return [...chain];
  const inChain = new Set(chain.map((entry) => entry.uuid));
  const lastOf = new Map<string, ChainEntry>();
  for (const entry of chain) {
    const response = responseOf(entry);
    if (response !== undefined) lastOf.set(response, entry);
  }
  if (lastOf.size === 0) return [...chain];

  const index = indexResponses(graph);
  const insertions = new Map<string, ChainEntry[]>();
  const added = new Set<string>();
  const answeredInChain = new Set(chain.flatMap(answeredCalls));
  for (const [response, last] of lastOf) {
    const lines = index.lines.get(response) ?? [];
    const missing = lines.filter((line) => !inChain.has(line.uuid));
    const results: ChainEntry[] = [];
    const answeredHere = new Set<string>();
    const isOpen = (id: string) => !answeredInChain.has(id) && !answeredHere.has(id);
    const take = (result: ChainEntry) => {
      if (inChain.has(result.uuid) || added.has(result.uuid)) return;
      added.add(result.uuid);
      results.push(result);
      for (const id of answeredCalls(result)) answeredHere.add(id);
    };
    for (const line of lines) for (const result of index.byParent.get(line.uuid) ?? []) take(result);
    // Links other than the parent may be left over from a call that was repeated, so they count only for a call without an answer.
    for (const id of new Set(lines.flatMap(callsOf))) {
      const owner = index.owners.get(id);
      if (owner === undefined || owner === "several") continue;
      for (const result of index.byCall.get(id) ?? []) {
        const source = lines.find((line) => line.uuid === result["sourceToolAssistantUUID"]);
        if ((isAlike(result, owner) || (source && isAlike(result, source))) && isOpen(id)) take(result);
      }
    }
    if (missing.length + results.length > 0) {
      insertions.set(last.uuid, [...missing.toSorted(byTime), ...results.toSorted(byTime)]);
    }
  }
  return chain.flatMap((entry) => [entry, ...(insertions.get(entry.uuid) ?? [])]);
}

function countMessages(entries: Iterable<ChainEntry>): number {
  let count = 0;
  for (const entry of entries) if (isMessageEntry(entry)) count++;
  return count;
}

interface ResponseIndex {
  /** Lines by the id of their response. */
  readonly lines: Map<string, ChainEntry[]>;
  readonly byParent: Map<string, ChainEntry[]>;
  readonly byCall: Map<string, ChainEntry[]>;
  /** The line that holds the call of this id, unless several responses do. */
  readonly owners: Map<string, ChainEntry | "several">;
}

function indexResponses(graph: EntryGraph): ResponseIndex {
  const index: ResponseIndex = {
    lines: new Map(),
    byParent: new Map(),
    byCall: new Map(),
    owners: new Map(),
  };
  for (const entry of graph.entries.values()) {
    const response = responseOf(entry);
    if (response !== undefined) {
      addTo(index.lines, response, entry);
      for (const id of callsOf(entry)) {
        const before = index.owners.get(id);
        const isShared = before === "several" || (before !== undefined && responseOf(before) !== response);
        index.owners.set(id, isShared ? "several" : entry);
      }
      continue;
    }
    const ids = answeredCalls(entry);
    const parent = graph.parentOf(entry);
    // A result at the top of the transcript is what a cut left over.
    if (ids.length === 0 || parent === undefined) continue;
    addTo(index.byParent, parent, entry);
    for (const id of ids) addTo(index.byCall, id, entry);
  }
  return index;
}

/** Id of the response that a line is a part of. */
function responseOf(entry: ChainEntry): string | undefined {
  if (entry.type !== "assistant") return undefined;
  const id = fieldOf(entry["message"], "id");
  return typeof id === "string" && id !== "" ? id : undefined;
}

function callsOf(line: ChainEntry): string[] {
  return blocksOf(line).flatMap(({ type, id }) => (type === "tool_use" && typeof id === "string" ? [id] : []));
}

function isAlike(left: ChainEntry, right: ChainEntry): boolean {
  return (left["isSidechain"] === true) === (right["isSidechain"] === true) && left["agentId"] === right["agentId"];
}

function byTime(left: ChainEntry, right: ChainEntry): number {
  const [a, b] = [String(left["timestamp"] ?? ""), String(right["timestamp"] ?? "")];
  return a < b ? -1 : a > b ? 1 : 0;
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
