import { AlreadyConsumedError } from "./errors.ts";
import type { Frame } from "./frame.ts";

/**
 * A queue of frames between a producer that pushes and the one consumer of {@link Transport.frames}, who gets all that has gathered as
 * one batch.
 *
 * For transports whose source calls back (WebSocket messages, events); a source that is iterated needs no queue, see {@link decodeBatches}.
 */
export class FrameQueue implements AsyncIterable<readonly Frame[]> {
  #frames: Frame[] = [];
  /** Where producers wait until their frames are taken. */
  readonly #producers: (() => void)[] = [];
  /** Where the consumer waits; more than once, if it asks again before it was answered. */
  readonly #consumers: ((result: IteratorResult<readonly Frame[], undefined>) => void)[] = [];
  #ended = false;
  #consumed = false;

  /**
   * Adds frames. The promise settles when the consumer took them, went away, or the queue was ended; awaiting it is the backpressure.
   * After the end, frames are dropped.
   */
  async push(frames: readonly Frame[]): Promise<void> {
    if (this.#ended || frames.length === 0) return;
    for (const frame of frames) this.#frames.push(frame);
    await new Promise<void>((resolve) => {
      this.#producers.push(resolve);
      this.#deliver();
    });
  }

  /** Ends the queue behind what was pushed. Idempotent. */
  end(): void {
    this.#ended = true;
    this.#releaseProducers();
    this.#deliver();
  }

  /** @throws {@link AlreadyConsumedError} when somebody has begun to read. */
  [Symbol.asyncIterator](): AsyncIterator<readonly Frame[], undefined> {
    if (this.#consumed) throw new AlreadyConsumedError("This queue");
    this.#consumed = true;
    return {
      next: () =>
        new Promise((resolve) => {
          this.#consumers.push(resolve);
          this.#deliver();
        }),
      return: async () => {
        this.#frames = [];
        this.end();
        return { done: true, value: undefined };
      },
    };
  }

  #deliver(): void {
    if (this.#frames.length > 0) {
      const consumer = this.#consumers.shift();
      if (consumer === undefined) return;
      consumer({ done: false, value: this.#frames });
      this.#frames = [];
      this.#releaseProducers();
    }
    if (this.#ended) for (const consumer of this.#consumers.splice(0)) consumer({ done: true, value: undefined });
  }

  #releaseProducers(): void {
    for (const taken of this.#producers.splice(0)) taken();
  }
}
