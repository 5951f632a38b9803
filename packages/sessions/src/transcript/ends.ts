import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode, isMissing, TranscriptAccessError } from "./errors.ts";
import { TextWindow } from "./text-window.ts";

/** How much of each end of a transcript is looked at where not all is read; the CLI looks at as much. */
export const endBytes = 65_536;

/** Both ends of a transcript, and what the file system says about it. */
export interface TranscriptEnds {
  readonly head: TextWindow;
  /** The same object as `head` where the file is no longer than that. */
  readonly tail: TextWindow;
  readonly sizeBytes: number;
  /** Whole milliseconds since 1970. */
  readonly modifiedMs: number;
}

// A link or a FIFO in place of a transcript is none, and must not block. Windows has neither flag.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads both ends of a transcript with one open.
 *
 * @returns `undefined` where there is no transcript: nothing there, not a regular file, or empty.
 * @throws {@link TranscriptAccessError} when there is one that cannot be read.
 */
export async function readEnds(path: string): Promise<TranscriptEnds | undefined> {
  try {
    const file = await open(path, flags);
    try {
      const status = await file.stat();
      if (!status.isFile() || status.size === 0) return undefined;
      const { size } = status;
      // Most files are short enough to read at once.
      const isShort = size <= 2 * endBytes;
      const start = await readAt(file, 0, isShort ? size : endBytes);
      if (start.length === 0) return undefined;
      const head = new TextWindow(start.subarray(0, endBytes));
      const rest = isShort ? start.subarray(-endBytes) : await readAt(file, size - endBytes, endBytes);
      const tail = size <= endBytes ? head : new TextWindow(rest);
      return { head, tail, sizeBytes: size, modifiedMs: status.mtime.getTime() };
    } finally {
      await file.close();
    }
  } catch (error) {
    // ELOOP is how a link is refused, ENXIO how a socket is.
    if (isMissing(error) || errorCode(error) === "ELOOP" || errorCode(error) === "ENXIO") return undefined;
    throw new TranscriptAccessError("read", path, error);
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
