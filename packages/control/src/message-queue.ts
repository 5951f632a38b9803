import type { Frame } from "@reins/streamjson";

/**
 * The messages of a session in order, for one consumer.
 *
 * Bounded by its owner, who waits for {@link MessageQueue.room} before it reads on. What was queued when the session ended is still
 * delivered; then comes the end, or the error that ended the session, once.
 */
export class MessageQueue implements AsyncIterableIterator<Frame, undefined> {
  readonly #limit: number;
  readonly #onReturn: () => Promise<void>;
  #frames: Frame[] = [];
  #head = 0;
  #length = 0;
  #waiting: { resolve: (result: IteratorResult<Frame, undefined>) => void; reject: (error: unknown) => void }[] = [];
  #end: { error?: unknown } | undefined;
  #roomWanted: (() => void) | undefined;

  /**
   * @param limit How much may be queued before the owner should stop reading, in UTF-16 units of frame text.
   * @param onReturn Called when the consumer leaves early; awaited by `return()`.
   */
  constructor(limit: number, onReturn: () => Promise<void>) {
    this.#limit = limit;
    this.#onReturn = onReturn;
  }

  /** Whether as much is queued as should be. */
  get isFull(): boolean {
    return this.#length >= this.#limit;
  }

  /** The next message if it is there already. Lets a consumer save a promise per message. */
  take(): Frame | undefined {
    const frame = this.#frames[this.#head];
    if (frame === undefined) return undefined;
    this.#head++;
    this.#length -= frame.length;
    if (this.#head === this.#frames.length) {
      this.#frames = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#frames.length) {
      // Lets go of what was taken; seldom enough that the cost per message stays constant.
      this.#frames = this.#frames.slice(this.#head);
      this.#head = 0;
    }
    if (this.#roomWanted !== undefined && this.#length <= this.#limit / 2) this.wake();
    return frame;
  }

  /** The next message, when it comes; the end; or the error that ended the session, once. */
  next(): Promise<IteratorResult<Frame, undefined>> {
    const frame = this.take();
    if (frame !== undefined) return Promise.resolve({ done: false, value: frame });
    if (this.#end !== undefined) return this.#settled();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Leaves the messages: what is queued is dropped, the session is closed. */
  async return(): Promise<IteratorResult<Frame, undefined>> {
    this.clear();
    this.end();
    // Whoever has left is told of no error any more.
    this.#end = {};
    await this.#onReturn();
    return { done: true, value: undefined };
  }

  /** The queue itself: it has one consumer. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Adds a message. Behind the end it is dropped. */
  push(frame: Frame): void {
    if (this.#end !== undefined) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      waiting.resolve({ done: false, value: frame });
      return;
    }
    this.#frames.push(frame);
    this.#length += frame.length;
  }

  /** Ends the messages behind what is queued, with an error if one is given. Only the first end counts. */
  end(outcome: { error?: unknown } = {}): void {
    if (this.#end !== undefined) return;
    this.#end = outcome;
    this.wake();
    for (const waiting of this.#waiting.splice(0)) this.#settled().then(waiting.resolve, waiting.reject);
  }

  /** Drops what is queued. */
  clear(): void {
    this.#frames = [];
    this.#head = 0;
    this.#length = 0;
    this.wake();
  }

  /** Settles when at most half of the limit is queued, at the end, or when {@link MessageQueue.wake} is called. */
  room(): Promise<void> {
    if (!this.isFull || this.#end !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#roomWanted = resolve;
    });
  }

  /** Lets the owner read on although the queue is full. */
  wake(): void {
    const wanted = this.#roomWanted;
    this.#roomWanted = undefined;
    wanted?.();
  }

  /** The end of the iteration; an error is told once. */
  #settled(): Promise<IteratorResult<Frame, undefined>> {
    const end = this.#end;
    if (end !== undefined && "error" in end) {
      this.#end = {};
      return Promise.reject(end.error);
    }
    return Promise.resolve({ done: true, value: undefined });
  }
}
