import { open } from "node:fs/promises";
import type { SessionKey } from "@reins/messages";
import { FrameDecoder } from "@reins/streamjson";
import { decodeText } from "./decode-text.ts";
import { TranscriptAccessError } from "./errors.ts";
import { TranscriptLine } from "./transcript-line.ts";
import { transcriptPath } from "./transcript-path.ts";

/** Options of {@link readTranscript}. */
export interface ReadTranscriptOptions {
  /** Configuration folder for a key. Default `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
  readonly configDir?: string | undefined;
  /** Where to begin, in bytes: 0 or the `endOffset` of a line. Default 0. */
  readonly start?: number | undefined;
  /** Longest line that is read whole, in bytes. Default 64 MiB. A longer one has an `error`. */
  readonly maxLineBytes?: number | undefined;
  /** Ends the iteration with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How much is read at once, in bytes. What is in memory is this and the line that is under way. */
export const readBytes = 262_144;

/**
 * Reads the lines of a transcript one after the other, in the memory of one line, whatever the size of the file.
 *
 * Only a newline ends a line. Blank lines are passed over; a line that is no entry comes with its `error`, also the last one while the CLI
 * is writing it. The file is opened when the iteration begins, and closed when it ends in any way.
 *
 * @param source Path of a transcript, or its key: the project key, the session id, and for a subagent the subpath.
 * @throws {@link TranscriptAccessError} when the file is not there or cannot be read.
 * @throws The reason of the signal.
 * @example
 * for await (const line of readTranscript(path)) if (line.type === "user") console.log(line.byteOffset, line.entry);
 */
export async function* readTranscript(
  source: string | SessionKey,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptLine, undefined> {
  const { start = 0, maxLineBytes, signal } = options;
  const path = typeof source === "string" ? source : transcriptPath(source, options);
  const limits = maxLineBytes === undefined ? {} : { maxLineBytes };
  const decoder = new FrameDecoder({ onMalformed: "deliver", decodeText, ...limits });
  for await (const chunk of chunksOf(path, start, signal)) {
    for (const frame of decoder.push(chunk)) yield new TranscriptLine(frame, start + frame.byteOffset);
  }
  for (const frame of decoder.end()) yield new TranscriptLine(frame, start + frame.byteOffset);
}

async function* chunksOf(
  path: string,
  start: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, undefined> {
  signal?.throwIfAborted();
  const file = await open(path).catch((error: unknown) => {
    throw new TranscriptAccessError("read", path, error);
  });
  try {
    for (let position = start; ; ) {
      signal?.throwIfAborted();
      // The decoder refers to what it was given, so each read has a buffer of its own.
      const { bytesRead, buffer } = await file
        .read(Buffer.allocUnsafeSlow(readBytes), 0, readBytes, position)
        .catch((error: unknown) => {
          throw new TranscriptAccessError("read", path, error);
        });
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
