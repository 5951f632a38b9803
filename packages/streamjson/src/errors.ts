/**
 * Base of every error that a Reins package creates.
 *
 * `code` is stable and begins with `REINS_`; compare it, or use {@link isReinsError}, where two copies of a package may meet.
 */
export abstract class ReinsError extends Error {
  /** Stable identifier of the kind of error, such as `"REINS_FRAME_TOO_LARGE"`. */
  abstract readonly code: string;
}

/** Tells whether a value is an error of a Reins package, also one that another copy of the package or another realm created. */
export function isReinsError(error: unknown): error is ReinsError {
  // Unlike instanceof, this knows an error of another realm, such as an iframe.
  const isError = Object.prototype.toString.call(error) === "[object Error]";
  return isError && String((error as { readonly code?: unknown }).code).startsWith("REINS_");
}

/** A line was not a JSON object. `line` holds it as it was read. */
export class MalformedFrameError extends ReinsError {
  readonly code = "REINS_FRAME_MALFORMED" as const;
  /** The whole line without its newline. */
  declare readonly line: string;
  /** Number of the line in its stream, counted from 1; blank lines count. */
  declare readonly lineNumber: number;
  /** Offset of the line's first byte in its stream. */
  declare readonly byteOffset: number;
  /** True for a last line without a newline: most likely the writer died in the middle of it. */
  declare readonly truncated: boolean;

  constructor(details: { line: string; lineNumber: number; byteOffset: number; truncated: boolean; cause?: unknown }) {
    const { cause, ...own } = details;
    super(
      `Line ${own.lineNumber} (byte ${own.byteOffset}) is ${own.truncated ? "cut off and " : ""}not a JSON object: ${excerpt(own.line)}. ` +
        "Look at what wrote it, or set onMalformed.",
      optionsOf(cause),
    );
    Object.assign(this, own);
  }

  override get name(): string {
    return "MalformedFrameError";
  }
}

/** A line was longer than the decoder allows. Decoding goes on at the next newline. */
export class FrameTooLargeError extends ReinsError {
  readonly code = "REINS_FRAME_TOO_LARGE" as const;
  /** The limit that was in force, in bytes. */
  declare readonly limitBytes: number;
  /** How much of the line had been seen when it passed the limit, in bytes. The line may be longer. */
  declare readonly seenBytes: number;
  /** The first 1,024 bytes of the line as text, or as many as the limit allows; a character that is cut there reads as U+FFFD. */
  declare readonly prefix: string;
  /** Number of the line in its stream, counted from 1. */
  declare readonly lineNumber: number;
  /** Offset of the line's first byte in its stream. */
  declare readonly byteOffset: number;

  constructor(details: {
    limitBytes: number;
    seenBytes: number;
    prefix: string;
    lineNumber: number;
    byteOffset: number;
  }) {
    super(
      `Line ${details.lineNumber} (byte ${details.byteOffset}) is longer than ${details.limitBytes} bytes (${details.seenBytes} seen so far): ${excerpt(details.prefix)}. ` +
        "Look at what wrote it, or raise maxLineBytes.",
    );
    Object.assign(this, details);
  }

  override get name(): string {
    return "FrameTooLargeError";
  }
}

/** What can be wrong with a line that was read. */
export type FrameError = MalformedFrameError | FrameTooLargeError;

/** A value cannot be written as a frame. Nothing of it was written. */
export class FrameEncodeError extends ReinsError {
  readonly code = "REINS_FRAME_ENCODE" as const;

  constructor(reason: string, cause?: unknown) {
    super(`The frame was not written: ${reason}.`, optionsOf(cause));
  }

  override get name(): string {
    return "FrameEncodeError";
  }
}

/** A frame could not be written because the sink ended, closed or failed. `cause` has the sink's own error, if it gave one. */
export class FrameWriteError extends ReinsError {
  readonly code = "REINS_FRAME_WRITE" as const;

  constructor(reason: string, cause?: unknown) {
    super(`The frame was not written: ${reason}. Look at what ended it.`, optionsOf(cause));
  }

  override get name(): string {
    return "FrameWriteError";
  }
}

/** A source of frames was read a second time. Frames have one consumer, since each is delivered once. */
export class AlreadyConsumedError extends ReinsError {
  readonly code = "REINS_ALREADY_CONSUMED" as const;

  constructor(what: string) {
    super(`${what} already has a consumer. Hand frames on from there.`);
  }

  override get name(): string {
    return "AlreadyConsumedError";
  }
}

/** Something was given up because an AbortSignal said so. `cause` is the reason of the signal. */
export class AbortError extends ReinsError {
  readonly code = "REINS_ABORTED" as const;

  constructor(reason?: unknown) {
    super("The operation was aborted.", { cause: reason });
  }

  override get name(): string {
    return "AbortError";
  }
}

/** Without a cause an error has no `cause` member at all. */
function optionsOf(cause: unknown): ErrorOptions | undefined {
  return cause === undefined ? undefined : { cause };
}

/** What was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}

function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
