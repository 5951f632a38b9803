import type { Output } from "./output.ts";
import { printableLine } from "./printable.ts";

/** One line on stderr that says how far long work is; nothing where stderr is no terminal. */
export class Progress {
  readonly #output: Output;
  #isShown = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Replaces the line. */
  async show(text: string): Promise<void> {
    if (!this.#output.isTerminal) return;
    this.#isShown = true;
    await this.#output.write(`\r\u001b[K${printableLine(text, this.#output.columns - 1)}`);
  }

  /** Takes the line away, before something else is written. */
  async clear(): Promise<void> {
    if (!this.#isShown) return;
    this.#isShown = false;
    await this.#output.write("\r\u001b[K");
  }
}
