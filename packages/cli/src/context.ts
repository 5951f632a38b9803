import { constants } from "node:os";
import { Output } from "./terminal/output.ts";
import { jsonLine } from "./terminal/printable.ts";
import { Progress } from "./terminal/progress.ts";
import { createStyle, type Style } from "./terminal/style.ts";

/** A signal asked the command to end. */
export class Interrupted extends Error {
  /** 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`Ended by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }

  override get name(): string {
    return "Interrupted";
  }
}

/** What a command works with. */
export class Context {
  readonly out: Output = new Output(process.stdout);
  readonly err: Output = new Output(process.stderr);
  readonly progress: Progress = new Progress(this.err);
  readonly style: Style = createStyle(this.out.isTerminal, process.env);
  readonly errStyle: Style = createStyle(this.err.isTerminal, process.env);
  /** Whether `--json` was given. */
  json = false;
  #signal: AbortSignal | undefined;

  /**
   * Aborts when the command is to end: at SIGINT, SIGTERM or SIGHUP, with an {@link Interrupted}, or when nobody reads its output.
   *
   * The first look at it takes the signals over. Commands that hold nothing never look, and a signal ends them at once; a second signal ends
   * those that do.
   */
  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([interruption(), this.out.gone]);
    return this.#signal;
  }

  /** The signal that has asked the command to end, if one has. */
  get interrupted(): Interrupted | undefined {
    const reason: unknown = this.#signal?.reason;
    return reason instanceof Interrupted ? reason : undefined;
  }

  /** Writes one value as a line of JSON. */
  async writeJson(value: unknown): Promise<void> {
    await this.out.write(jsonLine(value));
  }

  /** Writes a remark to stderr. */
  async note(text: string): Promise<void> {
    await this.progress.clear();
    await this.err.write(`${text}\n`);
  }
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  const end = (signal: NodeJS.Signals) => {
    for (const each of signals) process.off(each, end);
    controller.abort(new Interrupted(signal));
  };
  for (const each of signals) process.on(each, end);
  return controller.signal;
}
