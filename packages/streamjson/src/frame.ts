import { type FrameError, MalformedFrameError } from "./errors.ts";
import { decodeUtf8, LineBlock } from "./line-block.ts";
import { type FrameTypes, scanTypes } from "./scan.ts";

/** A parsed frame: a JSON object. `type` says what kind of frame it is; everything else is a matter of the packages above. */
export interface FrameValue {
  readonly type?: unknown;
  readonly subtype?: unknown;
  readonly [key: string]: unknown;
}

/**
 * One line of the wire: exact text and bytes, and the parsed value on demand.
 *
 * A decoder with `onMalformed: "deliver"` hands out frames that were not looked into: {@link Frame.error} tells whether the line
 * is a JSON object, {@link Frame.value} throws if it is not. With the other policies every frame has a value.
 *
 * A frame keeps alive the read that it came from (often 64 KiB). Keep `value` or a copy of `bytes` where frames are stored for long.
 */
export class Frame {
  readonly #block: LineBlock;
  readonly #index: number;
  readonly #start: number;
  readonly #end: number;
  #value: FrameValue | undefined;
  #error: FrameError | undefined;
  #types: FrameTypes | undefined;

  private constructor(block: LineBlock, index: number, start: number, end: number) {
    this.#block = block;
    this.#index = index;
    this.#start = start;
    this.#end = end;
    this.#error = block.error;
  }

  /**
   * Called as `Frame["create"]` by the decoder. Private, so that the declarations show no constructor and nothing of
   * {@link LineBlock}: frames come from a decoder only.
   */
  // biome-ignore lint/correctness/noUnusedPrivateClassMembers: used by the decoder, see above.
  private static create(block: LineBlock, index: number, start: number, end: number): Frame {
    return new Frame(block, index, start, end);
  }

  /**
   * The parsed object. Parsed once, when first asked for.
   *
   * @throws {@link MalformedFrameError} when the line is not a JSON object.
   * @throws {@link FrameTooLargeError} when the line passed the decoder's limit.
   */
  get value(): FrameValue {
    const { error } = this;
    if (error !== undefined) throw error;
    // Without an error there is a value, see #parse.
    return this.#value!;
  }

  /** Why the line has no value; `undefined` for a good frame. Parses the line if that was not done yet. */
  get error(): FrameError | undefined {
    if (this.#value === undefined && this.#error === undefined) this.#parse();
    return this.#error;
  }

  /** The line without its newline, as it was read: with padding and CR. Invalid UTF-8 reads as U+FFFD. Of a too large line, its beginning. */
  get text(): string {
    return this.#block.text.slice(this.#start, this.#end);
  }

  /** The exact bytes of the line without its newline. A view, not a copy. Of a too large line, its beginning. */
  get bytes(): Uint8Array {
    return this.#block.bytes(this.#index);
  }

  /**
   * The top-level `type`, or `undefined` where there is none or it is no string. Does not parse the line.
   *
   * Exact for valid JSON. For a broken line it is a guess, so check {@link Frame.error} before a frame is handed on to a CLI.
   */
  get type(): string | undefined {
    return stringOrUndefined(this.#readTypes().type);
  }

  /** The top-level `subtype`; see {@link Frame.type}. The subtype of a control request lies deeper, in `value.request`. */
  get subtype(): string | undefined {
    return stringOrUndefined(this.#readTypes().subtype);
  }

  /** Length of the text in UTF-16 units: a cheap measure of what a frame costs to keep. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Number of the line in its stream, counted from 1. */
  get lineNumber(): number {
    return this.#block.lineNumber(this.#index);
  }

  /** Offset of the line's first byte in its stream. */
  get byteOffset(): number {
    return this.#block.byteOffset(this.#index);
  }

  /** Gives the parsed value, so that a frame can stand where its object is expected in `JSON.stringify`. */
  toJSON(): FrameValue {
    return this.value;
  }

  #readTypes(): FrameTypes | FrameValue {
    if (this.#value !== undefined) return this.#value;
    this.#types ??= scanTypes(this.text);
    return this.#types;
  }

  #parse(): void {
    let cause: unknown;
    try {
      const value: unknown = JSON.parse(this.text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        // The check above is all that FrameValue promises: an object with unknown members.
        this.#value = value as FrameValue;
        return;
      }
    } catch (error) {
      cause = error;
    }
    this.#error = new MalformedFrameError({
      line: this.text,
      lineNumber: this.lineNumber,
      byteOffset: this.byteOffset,
      truncated: this.#block.truncated,
      cause,
    });
  }
}

/**
 * Makes a frame of one line, such as a WebSocket message. A newline at its end is dropped; the line is not parsed yet.
 *
 * @throws TypeError when there is a second line.
 */
export function decodeFrame(line: string | Uint8Array): Frame {
  const bytes = typeof line === "string" ? new TextEncoder().encode(line) : line;
  const block = new LineBlock(bytes, decodeUtf8(bytes), 0, 1, false);
  const newline = block.text.indexOf("\n");
  const end = newline === -1 ? block.text.length : newline;
  if (end < block.text.length - 1) throw new TypeError("decodeFrame takes one line");
  return Frame["create"](block, 0, 0, end);
}

/** The `type` of a line, found without parsing it; see {@link Frame.type}. */
export function frameType(line: Frame | string | Uint8Array): string | undefined {
  return typesOf(line).type;
}

/** The `subtype` of a line, found without parsing it; see {@link Frame.subtype}. */
export function frameSubtype(line: Frame | string | Uint8Array): string | undefined {
  return typesOf(line).subtype;
}

function typesOf(line: Frame | string | Uint8Array): FrameTypes {
  if (typeof line === "string") return scanTypes(line);
  return line instanceof Frame ? line : decodeFrame(line);
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
