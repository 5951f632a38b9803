import type { Frame, FrameError } from "@reins/streamjson";
import type { LooseEntry } from "./fields.ts";

/** A line of a transcript, and where it stands. Nothing is parsed until it is asked for. */
export class TranscriptLine {
  /** Offset of the line's first byte in the file. */
  readonly byteOffset: number;
  readonly #frame: Frame;

  constructor(frame: Frame, byteOffset: number) {
    this.#frame = frame;
    this.byteOffset = byteOffset;
  }

  /** Offset behind the line and its newline: where to begin to read what follows. */
  get endOffset(): number {
    return this.byteOffset + this.#frame.bytes.length + 1;
  }

  /** Type of the entry, found without parsing it. */
  get type(): string | undefined {
    return this.#frame.type;
  }

  /** The line as it was read, without its newline. */
  get text(): string {
    return this.#frame.text;
  }

  /**
   * The parsed entry.
   *
   * @throws {@link TranscriptLine.error} when the line holds none.
   */
  get entry(): LooseEntry {
    return this.#frame.value;
  }

  /** Why the line holds no entry: a crash tore it, or it is longer than `maxLineBytes`. `undefined` for a good line. */
  get error(): FrameError | undefined {
    return this.#frame.error;
  }
}
