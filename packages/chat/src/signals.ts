import { constants } from "node:os";

const names: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Takes the signals over that ask a program to end, until one has ended it, or {@link Signals} is disposed. */
export class Signals implements Disposable {
  readonly #listener: (signal: NodeJS.Signals) => void;
  #ended: NodeJS.Signals | undefined;

  /** @param onSignal Gets the signal, and what to call where it ends the program: the next one is the system's. */
  constructor(onSignal: (signal: NodeJS.Signals, end: () => void) => void) {
    this.#listener = (signal) =>
      onSignal(signal, () => {
        this.#ended = signal;
        this[Symbol.dispose]();
      });
    for (const name of names) process.on(name, this.#listener);
  }

  /** 128 and the number of the signal that has ended the program, as in shells; `undefined` where none has. */
  get exitCode(): number | undefined {
    return this.#ended && 128 + constants.signals[this.#ended];
  }

  [Symbol.dispose](): void {
    for (const name of names) process.off(name, this.#listener);
  }
}
