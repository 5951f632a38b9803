import { batch, type Signal, signal } from "@preact/signals";
import type { EntryView, StubBatch } from "../protocol.ts";
import { ApiError, getJson, keepOpen, readEvents } from "./api.ts";
import { Conversation, type ConversationView, emptyView } from "./conversation.ts";
import type { Fork } from "./conversation-tree.ts";

/** How many entries stay in memory. A screen shows some twenty. */
const keptEntries = 600;
/** How many are asked for at once. */
const askedAtOnce = 60;

/**
 * The transcript of a session, or of a subagent, as it comes: first an index of all rows, without text, then whatever is appended. The text of
 * an entry is asked for when its row comes into sight.
 */
export class Transcript {
  readonly path: string;
  readonly view: Signal<ConversationView> = signal(emptyView);
  readonly state: Signal<"loading" | "live" | "lost"> = signal("loading");
  readonly problem: Signal<string | undefined> = signal(undefined);
  /** True once something was appended while it was watched. */
  readonly grew: Signal<boolean> = signal(false);
  /** True when what was appended is in another branch than the one that is shown. */
  readonly grewElsewhere: Signal<boolean> = signal(false);

  readonly #conversation = new Conversation();
  readonly #entries = new Map<number, Signal<EntryView | undefined>>();
  readonly #wanted = new Set<number>();
  readonly #closed = new AbortController();
  readonly #agent: string;
  #asking = false;
  #drawing = false;
  #caughtUp = false;
  #linksCame = false;
  /** Bytes, or entries, that must have come before more is shown: a whole index is drawn some ten times, however long it is. */
  #enough = 0;
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

  /** Shows the branch so many places behind the one that is shown; behind the last one comes the first. */
  turn(fork: Fork, step: number): void {
    const { branches, chosen } = fork;
    const branch = branches[(chosen + step + branches.length) % branches.length];
    if (branch === undefined) return;
    this.#conversation.choose(fork, branch);
    this.#draw();
  }

  /** Shows the branch that the CLI would go on with. */
  showLatest(): void {
    this.#conversation.showLatest();
    this.#draw();
  }

  /** Shows the branch that an entry is in. */
  reveal(at: number): void {
    this.#conversation.reveal(at);
    this.#draw();
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

  #add(added: StubBatch): void {
    this.#next = added.next;
    if (this.#caughtUp) this.grew.value = true;
    if (added.links.length > 0) this.#linksCame = true;
    this.#conversation.add(added);
    if (!this.#caughtUp && added.next < this.#enough) return;
    this.#enough = added.next * 1.5;
    this.#draw();
  }

  #reset(): void {
    this.#next = 0;
    this.#enough = 0;
    this.#conversation.clear();
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
      const isLive = this.state.peek() === "live";
      const before = this.view.peek();
      const view = this.#conversation.view({ stay: isLive });
      const isElsewhere = isLive && this.#linksCame && view.tip === before.tip;
      this.#linksCame = false;
      // Together: who sees that all is there sees all of it.
      batch(() => {
        this.view.value = view;
        if (view.isLatest) this.grewElsewhere.value = false;
        else if (isElsewhere) this.grewElsewhere.value = true;
        if (this.#caughtUp) this.state.value = "live";
      });
    });
  }
}
