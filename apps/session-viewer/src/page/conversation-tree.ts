import type { Link } from "../protocol.ts";

/** A way on from a place where a conversation goes on in several. */
export interface Branch {
  readonly uuid: string;
  readonly time: number | undefined;
  /** False where nothing was said: the conversation was taken back to here, and left. */
  readonly talks: boolean;
}

/** A place where a conversation goes on in several ways. */
export interface Fork {
  /** Uuid of the entry above; empty at the top. */
  readonly key: string;
  /** Where the chosen branch begins. */
  readonly at: number;
  readonly branches: readonly Branch[];
  /** Index of the branch that is shown. */
  readonly chosen: number;
}

/** What of a transcript is shown. */
export interface TreeView {
  /** Entries of other branches, by their places. */
  readonly hidden: ReadonlySet<number>;
  /** Entries of subagents, which transcripts of before have in the midst of the conversation. */
  readonly side: ReadonlySet<number>;
  readonly forks: readonly Fork[];
  /** True where the CLI would go on. */
  readonly isLatest: boolean;
  /** Uuid of the last entry. */
  readonly tip: string | undefined;
}

class Node {
  readonly link: Link;
  /** Where it was written first, which is where it is read. */
  readonly at: number;
  /** Where it was written last, which tells how new it is. */
  position: number;
  parent: Node | undefined;
  readonly children: Node[] = [];
  /** Some node above, or itself where it has no parent: the short way up. */
  top: Node;
  /** Something is said at or above it. What hangs below nothing is no conversation. */
  readonly isSaid: boolean;
  /** The turn that it is in. */
  readonly turn: string | undefined;
  /** It is the first of its turn. */
  readonly begins: boolean;
  /** The newest position at or below it. */
  latest = -1;
  /** Something begins at or below it: more than what is left of the turn above, such as the result of a call. */
  talks = false;
  /** The last view that had it on its way. */
  view = -1;
  isHidden = false;

  constructor(link: Link, parent: Node | undefined) {
    this.link = link;
    this.at = link.at;
    this.position = link.at;
    this.parent = parent;
    this.top = parent ?? this;
    this.isSaid = link.message === true || parent?.isSaid === true;
    this.turn = link.turn ?? parent?.turn;
    this.begins = link.turn !== undefined && link.turn !== parent?.turn;
  }
}

/** Halves the way up as it goes: transcripts are deep, and hostile ones ask often. */
function rootOf(node: Node): Node {
  let at = node;
  while (at.top !== at) {
    at.top = at.top.top;
    at = at.top;
  }
  return at;
}

/**
 * A transcript as the tree that it is: prompts that were taken back, edited or tried again, and sessions that went on from an earlier place.
 *
 * It shows one way through the tree, by itself that which was written last, as the CLI would go on with it. What hangs beside that way and says
 * nothing new is shown with it: parallel calls branch at each result.
 *
 * Where the CLI begins anew behind a compaction, this goes on to what came before: the compaction hangs below the last entry before it.
 */
export class ConversationTree {
  readonly #nodes = new Map<string, Node>();
  /** In the order of the transcript; what was written again stands there again. */
  readonly #written: Node[] = [];
  readonly #roots = new Set<Node>();
  /** Those whose parent has not come, by its uuid. */
  readonly #orphans = new Map<string, Node[]>();
  /** The anchor of the compaction that kept an entry, by its uuid. */
  readonly #anchors = new Map<string, string>();
  /** Places of entries that are written elsewhere. */
  readonly #repeated: number[] = [];
  readonly #side = new Set<number>();
  readonly #choices = new Map<string, string>();
  #view = 0;

  add(link: Link): void {
    if (link.side === true) {
      this.#side.add(link.at);
      return;
    }
    const known = this.#nodes.get(link.uuid);
    if (known !== undefined) {
      known.position = link.at;
      this.#written.push(known);
      this.#repeated.push(link.at);
      return;
    }
    const above = this.#parentOf(link);
    const parent = above === undefined ? undefined : this.#nodes.get(above);
    const node = new Node(link, parent);
    this.#nodes.set(link.uuid, node);
    this.#written.push(node);
    if (parent === undefined) this.#roots.add(node);
    else parent.children.push(node);
    if (above !== undefined && parent === undefined) {
      const waiting = this.#orphans.get(above);
      if (waiting === undefined) this.#orphans.set(above, [node]);
      else waiting.push(node);
    }
    this.#adopt(node);
    // Only what is written from here on was written behind the compaction.
    for (const uuid of link.kept?.uuids ?? []) this.#anchors.set(uuid, link.kept?.anchor ?? "");
  }

  clear(): void {
    this.#nodes.clear();
    this.#written.length = 0;
    this.#roots.clear();
    this.#orphans.clear();
    this.#anchors.clear();
    this.#repeated.length = 0;
    this.#side.clear();
    this.showLatest();
  }

  /** Shows a branch of a fork, and in it the way that was written last, or that was chosen before. */
  choose(fork: Fork, branch: Branch): void {
    this.#choices.set(fork.key, branch.uuid);
  }

  showLatest(): void {
    this.#choices.clear();
    // The next view has none before it to stay with.
    this.#view += 1;
  }

  /** Chooses the branches that lead to an entry. */
  reveal(at: number): void {
    for (const node of this.#nodes.values()) {
      if (node.at !== at && node.position !== at) continue;
      for (let next: Node | undefined = node; next !== undefined; next = next.parent) {
        this.#choices.set(next.parent?.link.uuid ?? "", next.link.uuid);
      }
      return;
    }
  }

  /**
   * The way that is shown now.
   *
   * @param stay True: goes on with what was shown before, also where something newer was written beside it.
   */
  view({ stay }: { readonly stay: boolean }): TreeView {
    this.#measure();
    this.#view += 1;
    const forks: Fork[] = [];
    let isLatest = true;
    let tip: string | undefined;
    for (let children: readonly Node[] = [...this.#roots]; children.length > 0; ) {
      const newest = children.reduce((best, node) => (node.latest >= best.latest ? node : best));
      const talking = children.filter(({ talks }) => talks);
      const ways = talking.length === 0 || newest.talks ? talking : [...talking, newest];
      const chosen = this.#chosen(ways, tip ?? "", stay) ?? newest;
      if (ways.length > 1) {
        const branches = ways.map(({ link, talks }) => ({ uuid: link.uuid, time: link.time, talks }));
        forks.push({ key: tip ?? "", at: chosen.at, branches, chosen: ways.indexOf(chosen) });
      }
      if (chosen !== newest) isLatest = false;
      chosen.view = this.#view;
      tip = chosen.link.uuid;
      children = chosen.children;
    }
    // Without a fork nothing new is said beside the way.
    const hidden = new Set(this.#repeated);
    if (forks.length > 0) this.#hideBranches(hidden);
    return { hidden, side: this.#side, forks, isLatest, tip };
  }

  #chosen(ways: readonly Node[], key: string, stay: boolean): Node | undefined {
    const choice = this.#choices.get(key);
    const chosen = ways.find(({ link }) => link.uuid === choice);
    return chosen ?? (stay ? ways.find(({ view }) => view === this.#view - 1) : undefined);
  }

  #parentOf({ uuid, parent, kept }: Link): string | undefined {
    // The conversation was taken back behind a compaction: what this boundary kept is what was left of it.
    if (kept?.anchor === uuid) return kept.uuids.at(-1);
    // A compaction itself comes behind what it kept.
    if (parent === undefined || kept !== undefined) return parent;
    const anchor = this.#anchors.get(parent);
    return anchor !== undefined && anchor !== uuid && this.#nodes.has(anchor) ? anchor : parent;
  }

  /** Takes those under a node who came before it. A circle stays open at the one that came first. */
  #adopt(node: Node): void {
    const waiting = this.#orphans.get(node.link.uuid);
    if (waiting === undefined) return;
    this.#orphans.delete(node.link.uuid);
    const root = rootOf(node);
    for (const orphan of waiting) {
      if (orphan === root) continue;
      orphan.parent = node;
      orphan.top = root;
      node.children.push(orphan);
      this.#roots.delete(orphan);
    }
  }

  /** Finds the newest position below each node, and whether anything is said there. */
  #measure(): void {
    for (const node of this.#written) {
      node.latest = -1;
      node.talks = false;
    }
    for (const node of this.#written.toReversed()) {
      // From the newest on, so that what has a position has its last one, and so has all above it.
      if (node.isSaid && node.link.passive !== true) {
        for (let up: Node | undefined = node; up !== undefined && up.latest < 0; up = up.parent)
          up.latest = node.position;
      }
      if (node.begins) for (let up: Node | undefined = node; up?.talks === false; up = up.parent) up.talks = true;
    }
  }

  /** Hides what is not on the way and says something new, with all that hangs below it. */
  #hideBranches(hidden: Set<number>): void {
    const turns = new Set(this.#written.flatMap(({ link, view }) => (view === this.#view ? (link.turn ?? []) : [])));
    const open = [...this.#roots];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      node.isHidden = node.parent?.isHidden === true || (node.talks && node.view !== this.#view);
      // Another line of a response that is shown stays, though a branch begins at it.
      if (node.isHidden && !(node.link.turn !== undefined && turns.has(node.link.turn))) hidden.add(node.at);
      for (const child of node.children) open.push(child);
    }
  }
}
