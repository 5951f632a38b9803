import { StringDecoder } from "node:string_decoder";

/** Somebody who waits for a line. */
interface Waiting {
  readonly settle: (line: string | undefined) => void;
}

/** Lines that are kept for those who have not asked yet. What comes behind them stays in the pipe. */
const maxAhead = 1000;

/** Lines of an input, for those who ask one after the other. */
export class LineInput {
  readonly #source: AsyncIterable<Uint8Array | string>;
  /** Came before anybody asked. */
  readonly #ahead: string[] = [];
  #isReading = false;
  /** A question may come while a message is waited for: the line is for the last who asked. */
  readonly #waiting: Waiting[] = [];
  #isOver = false;
  /** Goes on reading, where that has stopped because there are enough. */
  #readOn: () => void = () => {};

  /** Reads from the first question on, to the end of the source; one that is destroyed ends, too. */
  constructor(source: AsyncIterable<Uint8Array | string>) {
    this.#source = source;
  }

  /**
   * The next line; `undefined` at the end of the input, and when the signal aborts.
   *
   * @param isFresh Passes over what came before, which was no answer to a question that nobody had seen. It stays for the next who asks.
   */
  async next(signal: AbortSignal, isFresh = false): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    if (!this.#isReading) this.#start();
    const line = isFresh ? undefined : this.#ahead.shift();
    this.#readOn();
    if (line !== undefined) return line;
    if (this.#isOver) return undefined;
    return await new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        signal.removeEventListener("abort", onAbort);
        resolve(line);
      };
      const waiting: Waiting = { settle };
      const onAbort = (): void => settle(undefined);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #start(): void {
    this.#isReading = true;
    // An input that fails is one that ends: a terminal that is gone does so.
    this.#read()
      .catch(() => {})
      .finally(() => {
        this.#isOver = true;
        for (const waiting of [...this.#waiting]) waiting.settle(undefined);
      });
  }

  async #read(): Promise<void> {
    for await (const line of linesOf(this.#source)) {
      const last = this.#waiting.at(-1);
      if (last !== undefined) last.settle(line);
      else if (this.#ahead.push(line) >= maxAhead) {
        await new Promise<void>((resolve) => {
          this.#readOn = resolve;
        });
      }
    }
  }
}

/**
 * The lines of an input without their ends, each as soon as it is whole; the last one may have no end.
 *
 * `readline` is no choice: it takes the terminal over, and Ctrl-C with it.
 */
async function* linesOf(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, undefined> {
  const utf8 = new StringDecoder("utf8");
  let parts: string[] = [];
  for await (const chunk of source) {
    const [first = "", ...rest] = (typeof chunk === "string" ? chunk : utf8.write(chunk)).split("\n");
    parts.push(first);
    for (const part of rest) {
      yield parts.join("").replace(/\r$/, "");
      parts = [part];
    }
  }
  const last = parts.join("") + utf8.end();
  if (last !== "") yield last;
  return undefined;
}
