/**
 * A piece of a transcript, to look for fields in without parsing it all.
 *
 * The piece may begin and end anywhere, also inside a line or a character. Offsets are bytes: `text` has one unit per byte, which makes
 * searching fast and finds all that is ASCII, as keys and types are. Values are decoded as UTF-8.
 */
export class TextWindow {
  /** The bytes as Latin-1. */
  readonly text: string;
  readonly #bytes: Buffer;
  #offsets: Map<string, number[]> | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.text = bytes.toString("latin1");
  }

  /** Text between two offsets. Invalid UTF-8 reads as U+FFFD. */
  decode(start: number, end: number): string {
    return this.#bytes.toString("utf8", start, end);
  }

  /** Where the line around an offset begins and ends; the newline is at its end. */
  lineAround(offset: number): { readonly start: number; readonly end: number } {
    const newline = this.text.indexOf("\n", offset);
    return {
      start: offset === 0 ? 0 : this.text.lastIndexOf("\n", offset - 1) + 1,
      end: newline === -1 ? this.text.length : newline,
    };
  }

  /** Where a key of an entry that says something about its session stands, in any line and at any depth. */
  offsetsOf(key: EntryKey): readonly number[] {
    // One search for all keys: at 64 KiB a search costs about as much as reading the file.
    if (this.#offsets === undefined) {
      this.#offsets = new Map();
      for (const match of this.text.matchAll(entryKeys)) {
        const found = this.#offsets.get(match[1] ?? "");
        if (found === undefined) this.#offsets.set(match[1] ?? "", [match.index]);
        else found.push(match.index);
      }
    }
    return this.#offsets.get(key) ?? [];
  }
}

/** Keys that {@link TextWindow.offsetsOf} knows. */
export type EntryKey =
  | "customTitle"
  | "aiTitle"
  | "lastPrompt"
  | "summary"
  | "tag"
  | "relocatedCwd"
  | "continuedInSessionId";

const entryKeys = /"(customTitle|aiTitle|lastPrompt|summary|tag|relocatedCwd|continuedInSessionId)":/g;
