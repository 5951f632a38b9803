import type { FileHandle } from "node:fs/promises";
import type { SessionStoreEntry } from "../session-store.ts";

/** A line of a file. */
export interface ScannedLine {
  /** Without the newline. Valid until the next batch is asked for. */
  readonly bytes: Buffer;
  /** Offset of its first byte in the file. */
  readonly byteOffset: number;
  /** False for what stands behind the last newline. */
  readonly terminated: boolean;
}

/** Large enough that the calls do not count, small enough for many files at once. */
const chunkBytes = 256 * 1024;

/**
 * Reads the lines of a file from an offset on, in batches, so that its size does not matter. Blank lines are left out.
 *
 * @param from Offset of a line's first byte.
 */
export async function* scanLines(file: FileHandle, from: number): AsyncGenerator<ScannedLine[]> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  // Pieces of a line that is longer than a chunk, joined once.
  let pieces: Buffer[] = [];
  let lineOffset = from;
  for (let position = from; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    const lines: ScannedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1 && end < bytesRead; end = chunk.indexOf(0x0a, start)) {
      const piece = chunk.subarray(start, end);
      const bytes = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece]);
      if (bytes.length > 0) lines.push({ bytes, byteOffset: lineOffset, terminated: true });
      pieces = [];
      start = end + 1;
      lineOffset = position + start;
    }
    // The chunk is used again, so the rest is copied.
    if (start < bytesRead) pieces.push(Buffer.from(chunk.subarray(start, bytesRead)));
    position += bytesRead;
    if (lines.length > 0) yield lines;
  }
  if (pieces.length > 0) yield [{ bytes: Buffer.concat(pieces), byteOffset: lineOffset, terminated: false }];
}

/** Reads an entry from a line; `undefined` when it is no JSON object with a type. */
export function parseEntry(bytes: Buffer): SessionStoreEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
  const isEntry = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
  // Checked just now; the other fields of an entry may be anything.
  return isEntry ? (value as SessionStoreEntry) : undefined;
}
