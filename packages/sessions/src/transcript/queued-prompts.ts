import { answeredCalls, type ChainEntry, fieldOf, isMessageEntry, isObject } from "./chain-entry.ts";
import type { EntryGraph } from "./entry-graph.ts";
import type { Conversation } from "./read-entries.ts";

/**
 * Makes messages of the prompts that were sent during a turn. They are stored as attachments, and count where they were delivered.
 *
 * @see contracts/transcripts.md, "Queued prompts"; verified against the Agent SDK 0.3.328
 */
export function withQueuedPrompts(
  chain: readonly ChainEntry[],
  graph: EntryGraph,
  { absorbed }: Conversation,
): ChainEntry[] {
  const all = [...chain, ...belowLeaf(graph)];
  let present: Set<string> | undefined;
  const recorded = recordedDeliveries(graph.entries.values(), absorbed);
  const entries: ChainEntry[] = [];
  for (const [index, entry] of all.entries()) {
    const prompt = queuedPrompt(entry);
    if (prompt === undefined) {
      if (index < chain.length) entries.push(entry);
      continue;
    }
    const uuid = typeof prompt["source_uuid"] === "string" ? prompt["source_uuid"] : entry.uuid;
    // Behind the end of the conversation nothing can have answered it yet.
    present ??= new Set(chain.map((entry) => entry.uuid));
    const isDelivered = recorded.get(entry) ?? (index >= chain.length || isAnswered(all, index));
    if (!isDelivered || prompt["isMeta"] === true || (uuid !== entry.uuid && present.has(uuid))) continue;
    present.add(uuid);
    // The notice of a task is queued like a prompt, and has no other mark.
    const isNotice = prompt["commandMode"] === "task-notification";
    const origin = prompt["origin"] ?? (isNotice ? { kind: "task-notification" } : undefined);
    entries.push({
      ...entry,
      type: "user",
      uuid,
      message: { role: "user", content: prompt["prompt"] },
      isQueuedCommand: true,
      isMeta: undefined,
      ...(origin === undefined ? {} : { origin }),
    });
  }
  return entries;
}

function queuedPrompt(entry: ChainEntry): Readonly<Record<string, unknown>> | undefined {
  if (entry.type !== "attachment") return undefined;
  const attachment = entry["attachment"];
  if (!isObject(attachment)) return undefined;
  return attachment["type"] === "queued_command" ? attachment : undefined;
}

/** The prompts that hang below the end of the conversation, of a turn that is not over; not those on the way to another branch. */
function belowLeaf(graph: EntryGraph): ChainEntry[] {
  const leaf = graph.leaf();
  if (leaf === undefined) return [];
  const below = new Map<string, ChainEntry>();
  const branching = new Set<string>();
  for (const entry of graph.entries.values()) {
    const parent = graph.parentOf(entry);
    if (parent === undefined || (parent !== leaf.uuid && !below.has(parent))) continue;
    if (!isMessageEntry(entry)) below.set(entry.uuid, entry);
    else for (const above of graph.upFrom(entry)) branching.add(above.uuid);
  }
  return [...below.values()].filter((entry) => queuedPrompt(entry) !== undefined && !branching.has(entry.uuid));
}

/**
 * What the records say of attachments: whether this copy of the prompt went into the running turn. A prompt may be stored again each time it is
 * offered; only so many copies were taken as there are records of it, the last ones.
 */
function recordedDeliveries(
  all: Iterable<ChainEntry>,
  absorbed: ReadonlyMap<string, number>,
): Map<ChainEntry, boolean> {
  const copies = new Map<string, ChainEntry[]>();
  for (const entry of absorbed.size === 0 ? [] : all) {
    const prompt = queuedPrompt(entry);
    const id = prompt === undefined ? "" : deliveryOf(prompt);
    if (!absorbed.has(id)) continue;
    const known = copies.get(id);
    if (known === undefined) copies.set(id, [entry]);
    else known.push(entry);
  }
  const taken = new Map<ChainEntry, boolean>();
  for (const [id, list] of copies) {
    if (!areCopies(list)) continue;
    const first = list.length - (absorbed.get(id) ?? 0);
    for (const [index, entry] of list.entries()) taken.set(entry, index >= first);
  }
  return taken;
}

/** One delivery is one prompt. A source may be that of several, and then nothing says which of them the records mean. */
function areCopies(entries: readonly ChainEntry[]): boolean {
  const prompts = entries.map((entry) => queuedPrompt(entry) ?? {});
  return prompts.every(
    (prompt) =>
      prompt["delivery_id"] !== undefined ||
      JSON.stringify(prompt["prompt"]) === JSON.stringify(prompts[0]?.["prompt"]),
  );
}

function deliveryOf(prompt: Readonly<Record<string, unknown>>): string {
  return String(prompt["delivery_id"] ?? prompt["source_uuid"]);
}

/** Tells whether what follows a queued prompt came out of the turn that was running, before a prompt began the next. */
function isAnswered(entries: readonly ChainEntry[], from: number): boolean {
  for (let index = from + 1; index < entries.length; index++) {
    const entry = entries[index]!;
    if (entry.type === "assistant" || answeredCalls(entry).length > 0 || isInterruption(entry)) return true;
    if (entry.type === "user" && entry["isMeta"] !== true && entry["isCompactSummary"] !== true) return false;
  }
  return false;
}

function isInterruption(entry: ChainEntry): boolean {
  const content = entry.type === "user" ? fieldOf(entry["message"], "content") : undefined;
  const text = Array.isArray(content) ? fieldOf(content[0], "text") : content;
  return typeof text === "string" && text.startsWith("[Request interrupted by user");
}
