import type { PartKind, Stub, StubBatch } from "../protocol.ts";
import { type Branch, ConversationTree, type Fork } from "./conversation-tree.ts";

/** A part of an entry. A call has its result in it. */
export interface PartRow {
  readonly stub: Stub;
  /** It is what a subagent said, in the midst of the conversation. */
  readonly isSide: boolean;
  result?: Stub;
}

/** Stands above the first part of a branch. */
export interface ForkRow {
  readonly fork: Fork;
}

/** A row of the list. */
export type Row = PartRow | ForkRow;

export type RowFilter = "tools" | "thinking" | "records";

const filterOf: Partial<Record<PartKind, RowFilter>> = {
  call: "tools",
  result: "tools",
  thinking: "thinking",
  record: "records",
};

export interface ContextPoint {
  readonly tokens: number;
  readonly compacted: boolean;
}

/** What is to be seen of a transcript: one way through its tree, as rows. */
export interface ConversationView {
  readonly rows: readonly Row[];
  readonly context: readonly ContextPoint[];
  readonly model: string | undefined;
  /** True where the CLI would go on. */
  readonly isLatest: boolean;
  /** Uuid of the last entry. */
  readonly tip: string | undefined;
}

export const emptyView: ConversationView = {
  rows: [],
  context: [],
  model: undefined,
  isLatest: true,
  tip: undefined,
};

/** Makes rows of the index of a transcript. */
export class Conversation {
  readonly #stubs: Stub[] = [];
  readonly #tree = new ConversationTree();

  add({ stubs, links }: StubBatch): void {
    for (const link of links) this.#tree.add(link);
    for (const stub of stubs) this.#stubs.push(stub);
  }

  clear(): void {
    this.#stubs.length = 0;
    this.#tree.clear();
  }

  choose(fork: Fork, branch: Branch): void {
    this.#tree.choose(fork, branch);
  }

  showLatest(): void {
    this.#tree.showLatest();
  }

  /** Shows the branch that an entry is in. */
  reveal(at: number): void {
    this.#tree.reveal(at);
  }

  /** @param stay True: keeps to the branch that was shown before, whatever was written beside it. */
  view({ stay }: { readonly stay: boolean }): ConversationView {
    const { hidden, side, forks, isLatest, tip } = this.#tree.view({ stay });
    const rows: Row[] = [];
    const calls = new Map<string, PartRow>();
    const hiddenResults: Stub[] = [];
    const context: ContextPoint[] = [];
    let model: string | undefined;
    const waiting = forks.toSorted((a, b) => b.at - a.at);
    for (const stub of this.#stubs) {
      if (hidden.has(stub.at)) {
        if (stub.kind === "result") hiddenResults.push(stub);
        continue;
      }
      for (let fork = waiting.at(-1); fork !== undefined && fork.at <= stub.at; fork = waiting.at(-1)) {
        rows.push({ fork });
        waiting.pop();
      }
      const isSide = side.has(stub.at);
      if (!attach(calls, stub)) {
        const row: PartRow = { stub, isSide };
        rows.push(row);
        if (stub.kind === "call" && stub.call !== undefined) calls.set(stub.call, row);
      }
      if (isSide) continue;
      // The entries of one response repeat its numbers.
      if (stub.context !== undefined && stub.context !== context.at(-1)?.tokens) {
        context.push({ tokens: stub.context, compacted: false });
      }
      if (stub.kind === "compaction") context.push({ tokens: 0, compacted: true });
      if (stub.model !== undefined && stub.model !== "<synthetic>") model = stub.model;
    }
    for (const fork of waiting.reverse()) rows.push({ fork });
    // A call is answered once, though the way on from the answer may be another branch.
    for (const stub of hiddenResults) attach(calls, stub);
    return { rows, context, model, isLatest, tip };
  }
}

/** Puts a result into its call, if that waits for one. */
function attach(calls: ReadonlyMap<string, PartRow>, stub: Stub): boolean {
  const call = stub.kind === "result" && stub.call !== undefined ? calls.get(stub.call) : undefined;
  if (call === undefined || call.result !== undefined) return false;
  call.result = stub;
  return true;
}

/** The rows that a choice of kinds leaves. */
export function filterRows(rows: readonly Row[], filters: ReadonlySet<RowFilter>): readonly Row[] {
  return rows.filter((row) => {
    const filter = "fork" in row ? undefined : filterOf[row.stub.kind];
    return filter === undefined || filters.has(filter);
  });
}

/** Names a row of a list; a fork keeps its name when another of its branches is shown. */
export function keyOfRow(row: Row | undefined): string {
  if (row === undefined) return "";
  return "fork" in row ? `fork ${row.fork.key}` : `${row.stub.at}:${row.stub.part}`;
}
