import { type FrameError, FrameTooLargeError } from "./errors.ts";
import { Frame } from "./frame.ts";
import { decodeUtf8, LineBlock } from "./line-block.ts";

/** Options of {@link FrameDecoder} and of everything that decodes. */
export interface FrameDecoderOptions {
  /**
   * Longest line accepted, in bytes without its newline, but with padding and a byte order mark. Default 67,108,864 (64 MiB).
   * `Infinity` and all above 536,870,888 mean that: no string of V8 holds a longer line.
   */
  readonly maxLineBytes?: number;
  /**
   * What a line does that is no JSON object, or is too long. Blank lines are none of these, they are passed over.
   * - `"error"` (default): it throws, at its place among the frames. Decoding goes on with the next line.
   * - `"deliver"`: it is a frame whose `error` is set. Nothing is parsed until it is asked for, so this is also the way to route frames unread.
   * - `"skip"`: it is passed over and reported to {@link FrameDecoderOptions.onSkip}.
   */
  readonly onMalformed?: "error" | "deliver" | "skip";
  /** Called for each line that `onMalformed: "skip"` passes over, before the next frame is handed out. */
  readonly onSkip?: (error: FrameError) => void;
  /**
   * Makes text of lines. Default: a `TextDecoder`. For a runtime that has a faster way; it has to give what
   * `new TextDecoder("utf-8", { ignoreBOM: true })` gives, also for invalid bytes.
   */
  readonly decodeText?: (bytes: Uint8Array) => string;
}

const defaultMaxLineBytes = 64 * 1024 * 1024;
/** V8's longest string has this many UTF-16 units, and a byte of UTF-8 becomes at most one. */
const longestTextBytes = 2 ** 29 - 24;
/**
 * How much is decoded at once, unless a single line is longer. V8 keeps a string above 128 KiB among its large objects: to decode 200 MB of
 * ASCII in pieces of 1 MiB takes 240 ms, in pieces of 64 KiB 55 ms.
 */
const maxBlockBytes = 65_536;
/** How much of a line over the limit its frame and its error keep. */
const headBytes = 1024;
/** U+FEFF in UTF-8. */
const byteOrderMark = "239,187,191";
const newline = 0x0a;

/**
 * Decodes newline-delimited JSON into frames.
 *
 * Feed it chunks of any size, cut anywhere, also inside a UTF-8 character. Only byte 0x0A ends a line; a CR before it is padding, as
 * are spaces and tabs, and one byte order mark at the start of the stream is dropped. Iterate what {@link FrameDecoder.push}
 * returns to take the frames; where that throws, iterate again to go on behind the bad line. Time is linear in the input.
 *
 * The decoder and its frames refer to the chunks instead of copying them: do not write into a chunk afterwards. Push a copy of a buffer
 * that is read into again.
 *
 * @throws {@link MalformedFrameError} while iterating, for a line that is no JSON object (policy `"error"`).
 * @throws {@link FrameTooLargeError} while iterating, for a line over the limit (policy `"error"`).
 * @example
 * const decoder = new FrameDecoder();
 * for (const frame of decoder.push(chunk)) console.log(frame.type, frame.value);
 * for (const frame of decoder.end()) console.log(frame.type, frame.value);
 * @see contracts/streamjson.md
 */
export class FrameDecoder implements IterableIterator<Frame> {
  readonly #maxLineBytes: number;
  readonly #policy: "error" | "deliver" | "skip";
  readonly #onSkip: ((error: FrameError) => void) | undefined;
  readonly #decodeText: (bytes: Uint8Array) => string;

  /** What was read and not yet handed out. It is decoded when its turn comes and the number of its first line is known. */
  readonly #ready: ((firstLine: number) => LineBlock)[] = [];
  readonly #frames = this.#readFrames();

  /** The line that has no newline yet; `undefined` inside a line that is over the limit and was reported. */
  #partial: Uint8Array | undefined = new Uint8Array(0);
  #partialLength = 0;
  /** Half of a surrogate pair that was cut by a string chunk. */
  #halfPair = "";
  /** Offset of the first byte behind the last newline; 0 only in the first line. */
  #byteOffset = 0;

  constructor(options: FrameDecoderOptions = {}) {
    const { maxLineBytes = defaultMaxLineBytes, onMalformed = "error", onSkip, decodeText = decodeUtf8 } = options;
    if (!(maxLineBytes > 0)) throw new RangeError("maxLineBytes must be above 0");
    this.#maxLineBytes = Math.min(maxLineBytes, longestTextBytes);
    this.#policy = onMalformed;
    this.#onSkip = onSkip;
    this.#decodeText = decodeText;
  }

  /** Takes a chunk and returns the decoder itself, to iterate the frames that are complete now. */
  push(chunk: Uint8Array | string): this {
    const bytes = this.#toBytes(chunk);
    const end = bytes.lastIndexOf(newline);
    let start = 0;
    if (end !== -1 && this.#partialLength > 0) {
      start = bytes.indexOf(newline) + 1;
      this.#keepPartial(bytes.subarray(0, start - 1));
      this.#finishPartial(false);
    }
    while (start <= end) {
      // As many lines as are within the limit together, so that each of them is; else one line, which may be over it.
      const within = bytes.lastIndexOf(newline, start + Math.min(this.#maxLineBytes, maxBlockBytes));
      const next = within < start ? bytes.indexOf(newline, start) : within;
      this.#add(bytes.subarray(start, next), next - start, false);
      this.#byteOffset += next + 1 - start;
      start = next + 1;
    }
    this.#keepPartial(bytes.subarray(end + 1));
    return this;
  }

  /**
   * Takes what is left as a last line without a newline, and returns the decoder itself, to iterate what is complete now.
   *
   * More may be pushed afterwards, as a new line: `push(message).end()` decodes messages that hold whole lines, with or without a last newline.
   */
  end(): this {
    this.#toBytes(new Uint8Array(0));
    if (this.#partialLength > 0) this.#finishPartial(true);
    return this;
  }

  /** The next complete frame. `done` means: none yet, push more. */
  next(): IteratorResult<Frame, undefined> {
    for (;;) {
      const frame = this.#frames.next().value;
      if (frame === undefined) return { done: true, value: undefined };
      if (this.#policy === "deliver" || frame.error === undefined) return { done: false, value: frame };
      if (this.#policy === "error") throw frame.error;
      this.#onSkip?.(frame.error);
    }
  }

  /** The decoder is its own iterator: leaving a loop over it loses no frame. */
  [Symbol.iterator](): this {
    return this;
  }

  /** Never ends: `undefined` means that nothing is complete yet. */
  *#readFrames(): Generator<Frame | undefined, never> {
    for (let lineNumber = 1; ; ) {
      for (const open of this.#ready.splice(0)) {
        const block = open(lineNumber);
        const { text } = block;
        for (let index = 0, start = 0; start <= text.length; index++, lineNumber++) {
          const next = text.indexOf("\n", start);
          const end = next === -1 ? text.length : next;
          if (block.error !== undefined || !isBlank(text, start, end)) yield Frame["create"](block, index, start, end);
          start = end + 1;
        }
      }
      if (this.#ready.length === 0) yield undefined;
    }
  }

  /** Adds lines, or one line whose `length` is over the limit. Of that its beginning is enough, which is copied so that its chunk can go. */
  #add(bytes: Uint8Array, length: number, truncated: boolean): void {
    const limitBytes = this.#maxLineBytes;
    const isTooLarge = length > limitBytes;
    const kept = isTooLarge ? new Uint8Array(bytes.subarray(0, Math.min(headBytes, limitBytes))) : bytes;
    const markLength = this.#byteOffset === 0 && kept.subarray(0, 3).join() === byteOrderMark ? 3 : 0;
    const byteOffset = this.#byteOffset + markLength;
    this.#ready.push((lineNumber) => {
      const lines = kept.subarray(markLength);
      const block = new LineBlock(lines, this.#decodeText(lines), byteOffset, lineNumber, truncated);
      if (isTooLarge) {
        const prefix = block.text;
        block.error = new FrameTooLargeError({ limitBytes, seenBytes: length, prefix, lineNumber, byteOffset });
      }
      return block;
    });
  }

  #keepPartial(bytes: Uint8Array): void {
    const before = this.#partialLength;
    const length = before + bytes.length;
    let partial = this.#partial;
    this.#partialLength = length;
    if (partial === undefined) return;
    const isTooLarge = length > this.#maxLineBytes;
    const kept = isTooLarge ? bytes.subarray(0, headBytes) : bytes;
    if (before + kept.length > partial.length) {
      // Doubling keeps the cost of a line that comes in many small chunks linear.
      partial = new Uint8Array((before + kept.length) * 2);
      partial.set(this.#partial!.subarray(0, before));
    }
    partial.set(kept, before);
    if (isTooLarge) this.#add(partial, length, false);
    this.#partial = isTooLarge ? undefined : partial;
  }

  #finishPartial(truncated: boolean): void {
    const length = this.#partialLength;
    if (this.#partial !== undefined) this.#add(this.#partial.subarray(0, length), length, truncated);
    this.#byteOffset += length + (truncated ? 0 : 1);
    this.#partial = new Uint8Array(0);
    this.#partialLength = 0;
  }

  /** The bytes of a chunk, without half a surrogate pair at the end of a string. Anything but its other half makes that U+FFFD. */
  #toBytes(chunk: Uint8Array | string): Uint8Array {
    const half = this.#halfPair;
    this.#halfPair = "";
    if (typeof chunk !== "string") {
      if (half !== "") this.#keepPartial(new TextEncoder().encode(half));
      return chunk;
    }
    let text = half + chunk;
    const last = text.slice(-1);
    if (last >= "\ud800" && last <= "\udbff") {
      this.#halfPair = last;
      text = text.slice(0, -1);
    }
    return new TextEncoder().encode(text);
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && " \t\r".includes(text.charAt(at))) at++;
  return at === end;
}
