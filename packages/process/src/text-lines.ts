/** Longest line that is kept together, in UTF-16 units. A longer one comes in pieces, so that noise without line ends costs no memory. */
const maxLineUnits = 65_536;

/** Cuts text that comes in chunks into lines. */
export class TextLines {
  readonly #listener: (line: string) => void;
  #rest = "";

  /** @param listener Called with each line, without its end and white space before that; not with blank ones. */
  constructor(listener: (line: string) => void) {
    this.#listener = listener;
  }

  add(text: string): void {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#tell(this.#rest + line);
      this.#rest = "";
    }
    this.#rest += last;
    if (this.#rest.length >= maxLineUnits) this.end();
  }

  /** Tells a last line that has no end. */
  end(): void {
    this.#tell(this.#rest);
    this.#rest = "";
  }

  #tell(line: string): void {
    const text = line.trimEnd();
    if (text !== "") this.#listener(text);
  }
}
