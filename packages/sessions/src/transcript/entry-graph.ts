import { type ChainEntry, fieldOf, isMessageEntry, isObject } from "./chain-entry.ts";

/**
 * The entries of a conversation and what hangs below what, as a resumed CLI sees it: what a compaction kept is moved below its summary.
 *
 * @see contracts/transcripts.md, "The chain"; verified against the Agent SDK 0.3.328 and CLI 2.1.328
 */
export class EntryGraph {
  /** By uuid, in the order of the file. Of entries with one uuid the last counts, at its place. */
  readonly entries: ReadonlyMap<string, ChainEntry>;
  /** Parents that a compaction changed. */
  readonly #moved = new Map<string, string>();
  #leaf: ChainEntry | undefined;

  constructor(entries: Iterable<ChainEntry>) {
    const byUuid = new Map<string, ChainEntry>();
    const boundaries: ChainEntry[] = [];
    for (const entry of entries) {
      const { size } = byUuid;
      byUuid.set(entry.uuid, entry);
      if (byUuid.size === size) {
        // Known, so that it stands at the old place.
        byUuid.delete(entry.uuid);
        byUuid.set(entry.uuid, entry);
      }
      if (entry.type === "system" && entry["subtype"] === "compact_boundary") boundaries.push(entry);
    }
    this.entries = byUuid;
    for (const boundary of boundaries) {
      if (byUuid.get(boundary.uuid) === boundary) this.#relink(boundary["compactMetadata"]);
    }
  }

  /** Uuid of the entry that one hangs below, whether or not that entry is known. */
  parentOf(entry: ChainEntry): string | undefined {
    const moved = this.#moved.size === 0 ? undefined : this.#moved.get(entry.uuid);
    if (moved !== undefined) return moved;
    const parent = entry["parentUuid"];
    return typeof parent === "string" ? parent : undefined;
  }

  /** The entries from one up to its root, itself first. Ends at an unknown parent, and at a repeated one. */
  *upFrom(entry: ChainEntry): Generator<ChainEntry, undefined> {
    const seen = new Set<string>();
    for (let next: ChainEntry | undefined = entry; next !== undefined && !seen.has(next.uuid); ) {
      seen.add(next.uuid);
      yield next;
      const parent = this.parentOf(next);
      next = parent === undefined ? undefined : this.entries.get(parent);
    }
  }

  /** The end of the conversation: of several branches that of the one written last. */
  leaf(): ChainEntry | undefined {
    this.#leaf ??= this.#lastMessageAbove(isMain) ?? this.#fallbackLeaf();
    return this.#leaf;
  }

  /** The conversation from its first entry to the leaf. */
  chain(): ChainEntry[] {
    const leaf = this.leaf();
    return leaf === undefined ? [] : [...this.upFrom(leaf)].reverse();
  }

  #lastMessageAbove(counts: (entry: ChainEntry) => boolean): ChainEntry | undefined {
    const counted: ChainEntry[] = [];
    const parents = new Set<string | undefined>();
    for (const entry of this.entries.values()) {
      if (!counts(entry)) continue;
      counted.push(entry);
      parents.add(this.parentOf(entry));
    }
    for (let index = counted.length - 1; index >= 0; index--) {
      const entry = counted[index]!;
      if (parents.has(entry.uuid)) continue;
      const message = this.#messageAbove(entry);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  /** Where there is no main conversation at all, such as in the transcript of a subagent. */
  #fallbackLeaf(): ChainEntry | undefined {
    const all = [...this.entries.values()];
    const parents = new Set(all.map((entry) => this.parentOf(entry)));
    const leaves = all.filter((entry) => !parents.has(entry.uuid)).flatMap((entry) => this.#messageAbove(entry) ?? []);
    const isPlain = (entry: ChainEntry) =>
      entry["isSidechain"] !== true && !entry["teamName"] && entry["isMeta"] !== true;
    const plain = leaves.filter(isPlain);
    const order = new Map([...this.entries.keys()].map((uuid, index) => [uuid, index]));
    const candidates = plain.length > 0 ? plain : leaves;
    return candidates.toSorted((left, right) => order.get(left.uuid)! - order.get(right.uuid)!).at(-1);
  }

  #messageAbove(entry: ChainEntry): ChainEntry | undefined {
    for (const above of this.upFrom(entry)) if (isMessageEntry(above)) return above;
    return undefined;
  }

  /** Moves what a compaction kept between its summary, the anchor, and what followed. */
  #relink(metadata: unknown): void {
    const messages = fieldOf(metadata, "preservedMessages");
    const segment = fieldOf(metadata, "preservedSegment");
    if (isObject(messages)) {
      const kept = messages["uuids"];
      const anchor = messages["anchorUuid"];
      if (typeof anchor !== "string" || !Array.isArray(kept) || kept.length === 0) return;
      if (!kept.every((uuid): uuid is string => typeof uuid === "string" && this.entries.has(uuid))) return;
      for (const [index, uuid] of kept.entries()) this.#moved.set(uuid, index === 0 ? anchor : kept[index - 1]!);
      this.#moveChildren(anchor, kept.at(-1)!, kept[0]!);
    } else if (isObject(segment)) {
      const { headUuid: head, anchorUuid: anchor, tailUuid: tail } = segment;
      if (typeof head !== "string" || typeof anchor !== "string" || typeof tail !== "string") return;
      this.#moved.set(head, anchor);
      this.#moveChildren(anchor, tail, head);
    }
  }

  #moveChildren(from: string, to: string, except: string): void {
    for (const entry of this.entries.values()) {
      if (this.parentOf(entry) === from && entry.uuid !== except) this.#moved.set(entry.uuid, to);
    }
  }
}

/** Tells whether an entry belongs to the conversation of the session itself. */
function isMain(entry: ChainEntry): boolean {
  return (
    entry["isSidechain"] !== true &&
    !entry["teamName"] &&
    entry.type !== "progress" &&
    !(entry.type === "attachment" && fieldOf(entry["attachment"], "type") === "fork_briefing")
  );
}
