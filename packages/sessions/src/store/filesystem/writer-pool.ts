import { sessionOf } from "../session-key.ts";
import type { SessionName } from "../session-store.ts";
import { SessionWriter, type SessionWriterContext } from "./session-writer.ts";

/** Each session that is kept ready knows its uuids, about 5 MB for 50,000 entries. */
const maxReady = 64;

/** The sessions that a store writes at the moment. Gives back the locks of those that it does not write any more. */
export class WriterPool {
  readonly #context: SessionWriterContext;
  readonly #lockIdleMs: number;
  readonly #writers = new Map<string, SessionWriter>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReleasing = false;
  #closed: Promise<void> | undefined;

  constructor(context: SessionWriterContext, lockIdleMs: number) {
    this.#context = context;
    this.#lockIdleMs = lockIdleMs;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Does something with the writer of a session, which is called before this returns. */
  async run<T>(session: SessionName, task: (writer: SessionWriter) => Promise<T>): Promise<T> {
    try {
      return await task(this.#writerOf(session));
    } finally {
      if (this.#writers.size > maxReady) void this.#releaseIdle();
      this.#startTimer();
    }
  }

  /** Waits for what was begun, and gives all locks back. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      clearTimeout(this.#timer);
      await Promise.all([...this.#writers.values()].map((writer) => writer.close()));
      this.#writers.clear();
    })();
    return this.#closed;
  }

  #writerOf(session: SessionName): SessionWriter {
    const folder = this.#context.folders.session(session);
    const known = this.#writers.get(folder);
    if (known !== undefined) return known;
    const writer = new SessionWriter(sessionOf(session), this.#context);
    this.#writers.set(folder, writer);
    return writer;
  }

  /** At most one timer runs; it looks at all sessions. */
  #startTimer(): void {
    if (this.#timer !== undefined || this.#closed !== undefined || this.#writers.size === 0) return;
    // Half of the time, so that a lock is given back at most half as late again as was asked for.
    const delayMs = Math.max(1, this.#lockIdleMs / 2);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#releaseIdle();
    }, delayMs);
    this.#timer.unref();
  }

  /** Gives back the locks of sessions that were not written for a while, and of the longest unused when there are too many. */
  async #releaseIdle(): Promise<void> {
    if (this.#isReleasing) return;
    this.#isReleasing = true;
    const idle = [...this.#writers].filter(([, writer]) => writer.isIdle);
    idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
    const surplus = this.#writers.size - maxReady;
    const dueBefore = performance.now() - this.#lockIdleMs;
    for (const [index, [folder, writer]] of idle.entries()) {
      const isDue = index < surplus || writer.idleSince <= dueBefore;
      if (!isDue || !writer.isIdle) continue;
      await writer.close();
      // A write may have come in between.
      if (writer.isIdle && !writer.isLocked) this.#writers.delete(folder);
    }
    this.#isReleasing = false;
    this.#startTimer();
  }
}
