import { batch, type Signal, signal } from "@preact/signals";
import type { EntryView, PartKind, Stub, StubBatch } from "../protocol.ts";
import { ApiError, getJson, keepOpen, readEvents } from "./api.ts";

/** A row of the list: a part of an entry. A call has its result in it. */
export interface Row {
  readonly stub: Stub;
  result?: Stub;
}

export type RowFilter = "tools" | "thinking" | "records";

const filterOf: Partial<Record<PartKind, RowFilter>> = {
  call: "tools",
  result: "tools",
  thinking: "thinking",
  record: "records",
};

/** How many entries stay in memory. A screen shows some twenty. */
const keptEntries = 600;
/** How many are asked for at once. */
const askedAtOnce = 60;

export interface ContextPoint {
  readonly tokens: number;
  readonly compacted: boolean;
}

/**
 * The transcript of a session, or of a subagent, as it comes: first an index of all rows, without text, then whatever is appended. The text of
 * an entry is asked for when its row comes into sight.
 */
export class Transcript {
  readonly path: string;
  /** Grows in place; `version` says when. */
  readonly rows: Row[] = [];
  readonly context: ContextPoint[] = [];
  readonly version: Signal<number> = signal(0);
  readonly state: Signal<"loading" | "live" | "lost"> = signal("loading");
  readonly problem: Signal<string | undefined> = signal(undefined);
  /** True once something was appended while it was watched. */
  readonly grew: Signal<boolean> = signal(false);
  model: string | undefined;

  readonly #calls = new Map<string, Row>();
  readonly #entries = new Map<number, Signal<EntryView | undefined>>();
  readonly #wanted = new Set<number>();
  readonly #closed = new AbortController();
  readonly #agent: string;
  #asking = false;
  #drawing = false;
  #caughtUp = false;
  #next = 0;

  constructor(sessionId: string, agentId?: string) {
    this.path = `/sessions/${sessionId}`;
    this.#agent = agentId === undefined ? "" : `&agent=${agentId}`;
  }

  /** Reads the index, and goes on with what is appended. */
  open({ follow }: { readonly follow: boolean }): this {
    const { signal: closed } = this.#closed;
    keepOpen(closed, async () => {
      const query = `start=${this.#next}&follow=${follow ? 1 : 0}${this.#agent}`;
      for await (const { event, data } of readEvents(`${this.path}/stubs?${query}`, closed)) {
        if (event === "stubs") this.#add(data as StubBatch);
        else if (event === "live") this.#catchUp();
        else if (event === "reset") this.#reset();
        else if (event === "problem") this.problem.value = (data as { error: string }).error;
      }
      return follow ? "again" : "done";
    }).catch((error: unknown) => {
      if (closed.aborted) return;
      batch(() => {
        this.state.value = "lost";
        this.problem.value = error instanceof Error ? error.message : String(error);
      });
    });
    return this;
  }

  close(): void {
    this.#closed.abort();
  }

  /** The rows that a choice of kinds leaves. */
  shown(filters: ReadonlySet<RowFilter>): readonly Row[] {
    return this.rows.filter(({ stub }) => {
      const filter = filterOf[stub.kind];
      return filter === undefined || filters.has(filter);
    });
  }

  /** An entry, which may still have to come. */
  entry(at: number): Signal<EntryView | undefined> {
    const known = this.#entries.get(at);
    if (known !== undefined) return known;
    const entry = signal<EntryView | undefined>(undefined);
    this.#entries.set(at, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= keptEntries) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }

  /** Says that an entry is in sight. Gives what says that it is so no more. */
  want(at: number): () => void {
    if (this.entry(at).peek() === undefined) {
      this.#wanted.add(at);
      void this.#ask();
    }
    return () => this.#wanted.delete(at);
  }

  /** Asks for an entry that was cut, in full. */
  async whole(at: number): Promise<void> {
    const [view] = await this.#fetch([at], "&whole=1");
    if (view !== undefined) this.entry(at).value = view;
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      // All rows that come into sight in one frame are asked for together.
      await new Promise((resolve) => requestAnimationFrame(resolve));
      while (this.#wanted.size > 0 && !this.#closed.signal.aborted) {
        // Where the list was scrolled fast, the last ones are those in sight.
        const places = [...this.#wanted].slice(-askedAtOnce);
        for (const at of places) this.#wanted.delete(at);
        const views = await this.#fetch(places, "");
        batch(() => {
          for (const view of views) this.entry(view.at).value = view;
        });
      }
    } catch (error) {
      if (!this.#closed.signal.aborted && error instanceof ApiError) this.problem.value = error.message;
    } finally {
      this.#asking = false;
    }
  }

  #fetch(places: readonly number[], more: string): Promise<readonly EntryView[]> {
    const at = places.map((place) => `at=${place}`).join("&");
    return getJson(`${this.path}/entries?${at}${this.#agent}${more}`, this.#closed.signal);
  }

  #add({ stubs, next }: StubBatch): void {
    this.#next = next;
    if (this.#caughtUp) this.grew.value = true;
    for (const stub of stubs) {
      const call = stub.kind === "result" && stub.call !== undefined ? this.#calls.get(stub.call) : undefined;
      if (call !== undefined && call.result === undefined) {
        call.result = stub;
      } else {
        const row: Row = { stub };
        this.rows.push(row);
        if (stub.kind === "call" && stub.call !== undefined) this.#calls.set(stub.call, row);
      }
      // The entries of one response repeat its numbers.
      if (stub.context !== undefined && stub.context !== this.context.at(-1)?.tokens) {
        this.context.push({ tokens: stub.context, compacted: false });
      }
      if (stub.kind === "compaction") this.context.push({ tokens: 0, compacted: true });
      if (stub.model !== undefined && stub.model !== "<synthetic>") this.model = stub.model;
    }
    this.#draw();
  }

  #reset(): void {
    this.#next = 0;
    this.rows.length = 0;
    this.context.length = 0;
    this.#calls.clear();
    this.#entries.clear();
    this.#draw();
  }

  #catchUp(): void {
    this.#caughtUp = true;
    this.#draw();
  }

  /** Once per frame, however many batches came. */
  #draw(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      // Together: who sees that all is there sees all of it.
      batch(() => {
        this.version.value += 1;
        if (this.#caughtUp) this.state.value = "live";
      });
    });
  }
}
