import { widthOf } from "../text/width.ts";

/** What is written to: a terminal, or a test. */
export interface ScreenOutput {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
}

/** The part at the bottom that is drawn anew. No line may be wider than the terminal. */
export interface LiveRegion {
  readonly lines: readonly string[];
  /** Where the cursor stands; without it there is none. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/**
 * A transcript that scrolls away with the terminal's own scrollback, and below it a live region.
 *
 * What was printed is never touched again, so that it can be scrolled, searched and copied like the output of any other program.
 */
export class Screen {
  readonly #output: ScreenOutput;
  #live: LiveRegion = { lines: [] };

  constructor(output: ScreenOutput) {
    this.#output = output;
  }

  /** Prints lines above the live region, and draws it anew, in one write. */
  update(printed: readonly string[], live: LiveRegion): void {
    const fitted = this.#fit(live);
    if (printed.length === 0 && isSame(fitted, this.#live)) return;
    const above = printed.map((line) => `${ended(line)}\r\n`).join("");
    // Terminals that know of synchronised output show all of it at once; others ignore the marks.
    this.#output.write(`\x1b[?2026h\x1b[?25l${this.#eraseLive()}${above}${drawn(fitted)}\x1b[?2026l`);
    this.#live = fitted;
  }

  /** Takes the live region away, and leaves the cursor at the beginning of the line where it was. */
  clear(): void {
    this.#output.write(`${this.#eraseLive()}\x1b[?25h`);
    this.#live = { lines: [] };
  }

  /** Forgets the live region: somebody else has drawn over it. */
  forget(): void {
    this.#live = { lines: [] };
  }

  /** Never higher than the terminal: lines that have scrolled away could not be erased. The end has the input, and stays. */
  #fit({ lines, cursor }: LiveRegion): LiveRegion {
    const tooMany = Math.max(lines.length - Math.max(this.#output.rows - 1, 1), 0);
    if (tooMany === 0) return { lines, cursor };
    return {
      lines: lines.slice(tooMany),
      cursor: cursor && { ...cursor, row: Math.max(cursor.row - tooMany, 0) },
    };
  }

  #eraseLive(): string {
    const { lines, cursor } = this.#live;
    if (lines.length === 0) return "";
    const last = lines.length - 1;
    const row = cursor?.row ?? last;
    // A terminal that has become narrower since has wrapped the lines above the cursor, and the one that it is in.
    const columns = Math.max(this.#output.columns, 1);
    const above = lines.slice(0, row).reduce((sum, line) => sum + Math.max(Math.ceil(widthOf(line) / columns), 1), 0);
    const own = Math.floor((cursor?.column ?? widthOf(lines[last] ?? "")) / columns);
    const up = above + own;
    return `${up > 0 ? `\x1b[${up}A` : ""}\r\x1b[J`;
  }
}

/** Ends all colours that a line has left on. */
function ended(line: string): string {
  return line.includes("\x1b") ? `${line}\x1b[0m` : line;
}

function drawn({ lines, cursor }: LiveRegion): string {
  const text = lines.map(ended).join("\r\n");
  if (cursor === undefined) return text;
  const up = lines.length - 1 - cursor.row;
  return `${text}${up > 0 ? `\x1b[${up}A` : ""}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ""}\x1b[?25h`;
}

function isSame(a: LiveRegion, b: LiveRegion): boolean {
  return (
    a.lines.length === b.lines.length &&
    a.cursor?.row === b.cursor?.row &&
    a.cursor?.column === b.cursor?.column &&
    a.lines.every((line, i) => line === b.lines[i])
  );
}
