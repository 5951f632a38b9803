import { drainPipe } from "./drain-pipe.ts";
import type { ReadablePipe } from "./spawned-process.ts";

type Chunk = Uint8Array | string;

/**
 * The output of a process, read as it is asked for: while nobody asks, the process is held back by its full pipe.
 *
 * Reads like an async generator, but can be switched to throw away what comes, also while somebody waits; and it knows that the
 * end of the process is the end of its output, also when a grandchild holds the pipe.
 */
export class PulledOutput implements AsyncIterableIterator<Chunk> {
  readonly #pipe: ReadablePipe;
  #chunks: Chunk[] = [];
  #isOver = false;
  #hasBegun = false;
  #mode: "pull" | "collect" | "discard" = "pull";
  #waiting: ((result: IteratorResult<Chunk, undefined>) => void) | undefined;

  constructor(pipe: ReadablePipe) {
    this.#pipe = pipe;
    pipe.on("data", (chunk) => this.#take(chunk));
    pipe.on("end", () => this.#end());
    pipe.on("close", () => this.#end());
    // A failed read ends the output. What it was about is told by the exit of the process.
    pipe.on("error", () => this.#end());
    pipe.pause();
  }

  /** Whether the process has written anything. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  next(): Promise<IteratorResult<Chunk, undefined>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk });
    if (this.#isOver || this.#mode === "discard") return Promise.resolve({ done: true, value: undefined });
    this.#pipe.resume();
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the reading and throws away what comes from now on, so that the process can write what it has to and end. */
  discard(): void {
    this.#mode = "discard";
    this.#chunks = [];
    this.#deliverEnd();
    this.#pipe.resume();
  }

  /**
   * Reads what the process, which has exited, left in its pipe, and closes it. It can still be taken afterwards.
   *
   * @param maxBytes How much to read at most.
   */
  async finish(maxBytes: number): Promise<void> {
    if (this.#mode === "pull") this.#mode = "collect";
    this.#pipe.resume();
    await drainPipe(this.#pipe, maxBytes);
    this.#end();
  }

  #take(chunk: Chunk): void {
    this.#hasBegun = true;
    if (this.#mode === "discard" || this.#isOver) return;
    if (this.#mode === "pull") this.#pipe.pause();
    if (this.#waiting === undefined) this.#chunks.push(chunk);
    else this.#deliver({ done: false, value: chunk });
  }

  #end(): void {
    this.#isOver = true;
    this.#deliverEnd();
  }

  #deliverEnd(): void {
    this.#deliver({ done: true, value: undefined });
  }

  #deliver(result: IteratorResult<Chunk, undefined>): void {
    this.#waiting?.(result);
    this.#waiting = undefined;
  }
}
