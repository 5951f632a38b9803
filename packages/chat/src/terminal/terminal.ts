import { writeSync } from "node:fs";
import { type Key, KeyDecoder } from "./keys.ts";

/** After the Escape byte alone nothing follows within this time, even over a slow line. */
const escapeMs = 50;
/** A signal to oneself has been delivered by then. */
const suspendMs = 200;

/** What a terminal tells. */
export interface TerminalListener {
  key(key: Key): void;
  resized(): void;
  /** The program was stopped, and goes on: the screen may hold anything. */
  resumed(): void;
  /** The terminal was closed. */
  ended(): void;
}

/**
 * Takes the keyboard: raw mode and bracketed paste. They are given back by {@link Terminal.release}, and when the process ends in whatever
 * way that lets it run a last line: an exit, an error that nobody caught, a signal. Only SIGKILL leaves no chance; `stty sane` helps then.
 */
export class Terminal {
  readonly #listener: TerminalListener;
  readonly #decoder = new KeyDecoder();
  #escapeTimer: NodeJS.Timeout | undefined;
  #suspendTimer: NodeJS.Timeout | undefined;
  #isTaken = false;

  constructor(listener: TerminalListener) {
    this.#listener = listener;
  }

  take(): void {
    const { stdin, stdout } = process;
    process.on("exit", this.#lost);
    process.on("SIGCONT", this.#resume);
    stdin.on("data", this.#read);
    stdin.on("end", this.#end);
    // The terminal is gone: what reads it has ended or is about to.
    stdin.on("error", this.#end);
    stdout.on("error", this.#end);
    stdout.on("resize", this.#resized);
    this.#begin();
    stdin.resume();
  }

  /** Gives the keyboard back. Idempotent. */
  release(): void {
    const { stdin, stdout } = process;
    clearTimeout(this.#escapeTimer);
    clearTimeout(this.#suspendTimer);
    process.off("exit", this.#lost);
    process.off("SIGCONT", this.#resume);
    stdin.off("data", this.#read);
    stdin.off("end", this.#end);
    stdout.off("resize", this.#resized);
    stdin.pause();
    this.#restore();
  }

  /** Stops the program as Ctrl-Z does elsewhere, with all that the shell has started for it. It goes on when the shell says so. */
  suspend(): void {
    this.#restore();
    process.kill(0, "SIGTSTP");
    // Without a shell that could wake it the system does not stop it. Where it does, this comes after the wake-up, and changes nothing.
    this.#suspendTimer = setTimeout(this.#resume, suspendMs);
  }

  #begin(): void {
    process.stdin.setRawMode(true);
    this.#isTaken = true;
    process.stdout.write("\x1b[?2004h");
  }

  /** The process ends without a release: what it says last goes below the input, not into it. */
  readonly #lost = (): void => this.#restore("\r\n\x1b[J");

  readonly #restore = (first = ""): void => {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    try {
      process.stdin.setRawMode(false);
      // Synchronous: after the exit event nothing else is written. Paste as before, the cursor back, no colour, output unlocked.
      writeSync(1, `${first}\x1b[?2026l\x1b[?2004l\x1b[?25h\x1b[0m`);
    } catch {
      // The terminal is gone, and needs nothing any more.
    }
  };

  readonly #resume = (): void => {
    clearTimeout(this.#suspendTimer);
    if (this.#isTaken) return;
    this.#begin();
    this.#listener.resumed();
  };

  readonly #resized = (): void => this.#listener.resized();

  readonly #end = (): void => this.#listener.ended();

  readonly #read = (bytes: Buffer): void => {
    clearTimeout(this.#escapeTimer);
    for (const key of this.#decoder.push(bytes)) this.#listener.key(key);
    if (!this.#decoder.isInSequence) return;
    this.#escapeTimer = setTimeout(() => {
      for (const key of this.#decoder.flush()) this.#listener.key(key);
    }, escapeMs);
  };
}
