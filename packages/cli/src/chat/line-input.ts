import { typedLines } from "../terminal/lines.ts";

/** Somebody who waits for a line. */
interface Waiting {
  readonly settle: (line: string | undefined) => void;
}

/** Lines that are typed, for those who ask one after the other. */
export class LineInput {
  readonly #source: AsyncIterable<Uint8Array | string> & { destroy(): unknown };
  /** Typed before anybody asked. */
  readonly #ahead: string[] = [];
  #waiting: Waiting | undefined;
  #isOver = false;

  constructor(source: AsyncIterable<Uint8Array | string> & { destroy(): unknown }) {
    this.#source = source;
    // An input that fails is one that ends: a terminal that is gone does so.
    this.#read()
      .catch(() => {})
      .finally(() => {
        this.#isOver = true;
        this.#waiting?.settle(undefined);
      });
  }

  /**
   * The next line; `undefined` at the end of the input, and when the signal aborts.
   *
   * @param isFresh Passes over what was typed before, which was no answer to a question that nobody had seen. It stays for the next who asks.
   */
  async next(signal: AbortSignal, isFresh = false): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    if (!isFresh && this.#ahead.length > 0) return this.#ahead.shift();
    if (this.#isOver) return undefined;
    return await new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        this.#waiting = undefined;
        signal.removeEventListener("abort", onAbort);
        resolve(line);
      };
      const onAbort = (): void => settle(undefined);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting = { settle };
    });
  }

  /** Reads no more. */
  close(): void {
    this.#source.destroy();
  }

  async #read(): Promise<void> {
    for await (const line of typedLines(this.#source)) {
      if (this.#waiting === undefined) this.#ahead.push(line);
      else this.#waiting.settle(line);
    }
  }
}
