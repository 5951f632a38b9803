import type { FrameTooLargeError } from "./errors.ts";

/**
 * A run of lines from one read, shared by the frames in it.
 *
 * The run is decoded to text once, since one call per line costs more than the parsing of a small frame (bench/, row "frames").
 * Byte positions are worked out only when somebody asks for bytes or an offset.
 */
export class LineBlock {
  readonly text: string;
  /** Whether the last line had no newline. */
  readonly truncated: boolean;
  /** Set by the decoder when the block is the beginning of one line over the limit. */
  error: FrameTooLargeError | undefined;
  readonly #bytes: Uint8Array;
  readonly #byteOffset: number;
  readonly #firstLine: number;
  #newlines: number[] | undefined;

  /**
   * @param bytes Lines separated by LF, without the last LF. Kept, not copied.
   * @param text The same, decoded.
   * @param byteOffset Offset of the first byte in the stream.
   * @param firstLine Number of the first line.
   */
  constructor(bytes: Uint8Array, text: string, byteOffset: number, firstLine: number, truncated: boolean) {
    this.text = text;
    this.#bytes = bytes;
    this.#byteOffset = byteOffset;
    this.#firstLine = firstLine;
    this.truncated = truncated;
  }

  lineNumber(index: number): number {
    return this.#firstLine + index;
  }

  byteOffset(index: number): number {
    return this.#byteOffset + this.#start(index);
  }

  bytes(index: number): Uint8Array {
    return this.#bytes.subarray(this.#start(index), this.#positions()[index]);
  }

  #start(index: number): number {
    return (this.#positions()[index - 1] ?? -1) + 1;
  }

  /** Where the newlines are. Decoding moves positions, also by what it puts for invalid UTF-8, but it never adds or drops an LF. */
  #positions(): number[] {
    if (this.#newlines === undefined) {
      const newlines: number[] = [];
      for (let at = this.#bytes.indexOf(0x0a); at !== -1; at = this.#bytes.indexOf(0x0a, at + 1)) newlines.push(at);
      this.#newlines = newlines;
    }
    return this.#newlines;
  }
}

/** Decodes UTF-8. A byte order mark is looked for once per stream, not once per block, so here it stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
