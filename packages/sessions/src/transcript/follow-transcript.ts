import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { SessionKey } from "@reins/messages";
import { FrameDecoder } from "@reins/streamjson";
import { isMissing, TranscriptAccessError } from "./errors.ts";
import { type ReadTranscriptOptions, readBytes } from "./read-transcript.ts";
import { TranscriptLine } from "./transcript-line.ts";
import { transcriptPath } from "./transcript-path.ts";

/** Options of {@link followTranscript}. */
export interface FollowTranscriptOptions extends ReadTranscriptOptions {
  /** How long a change may stay unnoticed where the file system does not tell of changes, in ms. Default 500. */
  readonly pollIntervalMs?: number | undefined;
}

/**
 * Reads a transcript and goes on reading what is appended, until the loop is left or the signal aborts.
 *
 * - A file that is not there yet is waited for: a session has an id before it has a transcript.
 * - A file that was cut is read from its beginning again; so is one that was put in its place, after the rest of the old one. `byteOffset` then
 *   begins at 0 again.
 * - A file that was renamed or deleted is read on as long as nothing else takes its name.
 * - A line is delivered when it has its newline.
 *
 * One descriptor is open, and the folder is watched. Both end with the iteration.
 *
 * @param source Path of a transcript, or its key.
 * @throws {@link TranscriptAccessError} when the file is there but cannot be read.
 * @throws The reason of the signal.
 */
export async function* followTranscript(
  source: string | SessionKey,
  options: FollowTranscriptOptions = {},
): AsyncGenerator<TranscriptLine, undefined> {
  const { start = 0, signal, pollIntervalMs = 500, maxLineBytes } = options;
  const path = typeof source === "string" ? source : transcriptPath(source, options);
  const limits = maxLineBytes === undefined ? {} : { maxLineBytes };
  signal?.throwIfAborted();
  const alarm = new Alarm(path, pollIntervalMs, signal);
  let tail: Tail | undefined;
  let first = start;
  try {
    for (;;) {
      // Taken before looking, so that a change while looking is not missed.
      const changed = alarm.next();
      tail ??= await Tail.open(path, first, limits);
      if (tail !== undefined) {
        first = 0;
        yield* tail.read(signal);
        if (await tail.isOver(path)) {
          // What was appended between the last read and the end.
          yield* tail.read(signal);
          yield* tail.rest();
          await tail.close();
          tail = undefined;
          continue;
        }
      }
      await changed;
      signal?.throwIfAborted();
    }
  } finally {
    alarm.close();
    await tail?.close();
  }
}

/** A file that is being read while it grows. */
class Tail {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #inode: number;
  readonly #start: number;
  readonly #decoder: FrameDecoder;
  #position: number;

  private constructor(file: FileHandle, path: string, inode: number, start: number, limits: { maxLineBytes?: number }) {
    this.#file = file;
    this.#path = path;
    this.#inode = inode;
    this.#start = start;
    this.#position = start;
    this.#decoder = new FrameDecoder({ onMalformed: "deliver", ...limits });
  }

  static async open(path: string, start: number, limits: { maxLineBytes?: number }): Promise<Tail | undefined> {
    try {
      const file = await open(path);
      try {
        const { ino, size } = await file.stat();
        // It was cut since the caller learned where to begin.
        return new Tail(file, path, ino, start > size ? 0 : start, limits);
      } catch (error) {
        await file.close();
        throw error;
      }
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new TranscriptAccessError("read", path, error);
    }
  }

  async *read(signal: AbortSignal | undefined): AsyncGenerator<TranscriptLine, undefined> {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await this.#file
        .read(Buffer.allocUnsafeSlow(readBytes), 0, readBytes, this.#position)
        .catch((error: unknown) => {
          throw new TranscriptAccessError("read", this.#path, error);
        });
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      for (const frame of this.#decoder.push(buffer.subarray(0, bytesRead))) {
        yield new TranscriptLine(frame, this.#start + frame.byteOffset);
      }
    }
  }

  /** The line that nobody will end any more. */
  *rest(): Generator<TranscriptLine, undefined> {
    for (const frame of this.#decoder.end()) yield new TranscriptLine(frame, this.#start + frame.byteOffset);
  }

  /** Tells whether the file was cut, or another has its name. */
  async isOver(path: string): Promise<boolean> {
    if ((await this.#file.stat()).size < this.#position) return true;
    try {
      return (await stat(path)).ino !== this.#inode;
    } catch {
      // Gone or moved: what is open can still grow.
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
  }
}

/** Tells when to look again: the folder changed, time has passed, or the signal aborted. */
class Alarm {
  readonly #intervalMs: number;
  readonly #signal: AbortSignal | undefined;
  #watcher: FSWatcher | undefined;
  #ring: () => void = () => {};

  constructor(path: string, intervalMs: number, signal: AbortSignal | undefined) {
    this.#intervalMs = intervalMs;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onChange);
    try {
      this.#watcher = watch(dirname(path), { persistent: false }, this.#onChange);
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // The folder may not be there yet, or cannot be watched. Time will tell.
    }
  }

  /** Settles at the next change. A promise that was not awaited holds nothing: its timer ends with the next one. */
  next(): Promise<void> {
    this.#ring();
    return new Promise((done) => {
      const timer = setTimeout(() => this.#ring(), this.#intervalMs);
      this.#ring = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  close(): void {
    this.#ring();
    this.#watcher?.close();
    this.#signal?.removeEventListener("abort", this.#onChange);
  }

  readonly #onChange = (): void => this.#ring();
}
