import { failureText } from "../session/message.ts";
import { markdownLines } from "../text/markdown.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import type { Style } from "../text/style.ts";
import { wrap, wrapVerbatim } from "../text/wrap.ts";

/** What the next frame prints above the input, for good. */
export class Transcript {
  readonly #style: Style;
  readonly #width: () => number;
  readonly #onChange: () => void;
  #lines: string[] = [];

  constructor(style: Style, width: () => number, onChange: () => void) {
    this.#style = style;
    this.#width = width;
    this.#onChange = onChange;
  }

  /** What the person has written. */
  echo(text: string): void {
    const lines = wrapVerbatim(plainText(text), this.#width() - 2);
    this.print(["", ...lines.map((line, i) => this.#style.bold(`${i === 0 ? ">" : " "} ${line}`))]);
  }

  say(markdown: string): void {
    this.print(["", ...markdownLines(markdown, this.#width(), this.#style)]);
  }

  /** Something about the line above it. */
  note(text: string): void {
    this.print(wrap(`+ ${plainLine(text)}`, this.#width() - 2).map((line) => this.#style.dim(`  ${line}`)));
  }

  warn(text: string): void {
    this.print(["", ...wrap(plainText(text), this.#width()).map((line) => this.#style.yellow(line))]);
  }

  fail(error: unknown): void {
    const text = failureText(error);
    if (text === "Interrupted.") this.warn(text);
    else this.print(["", ...wrap(plainText(`✗ ${text}`), this.#width()).map((line) => this.#style.red(line))]);
  }

  print(lines: readonly string[]): void {
    // Without a spread: there may be very many.
    for (const line of lines) this.#lines.push(line);
    this.#onChange();
  }

  /** The lines since the last time. */
  take(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}
