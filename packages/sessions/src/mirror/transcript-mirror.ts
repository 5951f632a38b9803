import type { SessionKey } from "@reins/messages";
import { SessionStoreError } from "../store/errors.ts";
import type { SessionStore, SessionStoreEntry } from "../store/session-store.ts";
import { withDeadline } from "./deadline.ts";
import { sessionKeyOfPath } from "./key-of-path.ts";

/** How a {@link TranscriptMirror} works. */
export interface TranscriptMirrorOptions {
  /** `"eager"` stores each frame as it comes. Default `"batched"`: above 500 entries or 1 MiB of text, and at each flush. */
  readonly flush?: "batched" | "eager" | undefined;
  /** Milliseconds that one append may take. Beyond it the entries count as lost: they are not tried again, as they may still arrive. Default 60,000. */
  readonly appendTimeoutMs?: number | undefined;
  /** How much may wait for a slow store, in UTF-16 units of JSON. What comes beyond it is lost. Default 67,108,864. */
  readonly maxPendingLength?: number | undefined;
}

/** Entries that did not reach the store. The transcript on the CLI's machine has them. */
export interface MirrorLoss {
  /** What went wrong, for people. */
  readonly error: string;
  /** The transcript; `undefined` where the path that the CLI named is that of none. */
  readonly key: SessionKey | undefined;
  /** The path that the CLI named. */
  readonly filePath: string;
  /** How many entries. */
  readonly entries: number;
}

/**
 * Brings the lines of transcripts that a CLI reports (`transcript_mirror` frames, with `--session-mirror`) into a store.
 *
 * One append for each transcript of a flush, in the order of the lines. A failed append is tried three times, 200 and 800 ms apart.
 * The store never holds up whoever writes: what cannot be stored becomes a {@link MirrorLoss}.
 *
 * @example
 * const mirror = new TranscriptMirror(store);
 * mirror.write({ filePath: frame.filePath, entries: frame.entries });
 * const losses = await mirror.flush(5_000);
 */
export class TranscriptMirror {
  readonly #store: SessionStore;
  readonly #isEager: boolean;
  readonly #appendTimeoutMs: number;
  readonly #maxPendingLength: number;
  #queue: Batch[] = [];
  #queuedEntries = 0;
  #queuedLength = 0;
  /** All that was written and neither stored nor lost. */
  #pendingLength = 0;
  #losses: MirrorLoss[] = [];
  #giveUp = (): void => {};
  readonly #givenUp: Promise<void> = new Promise((resolve) => {
    this.#giveUp = resolve;
  });
  #isGivenUp = false;
  /** Settles when all flushes so far have ended. */
  #flushed: Promise<void> = Promise.resolve();

  constructor(store: SessionStore, options: TranscriptMirrorOptions = {}) {
    this.#store = store;
    this.#isEager = options.flush === "eager";
    this.#appendTimeoutMs = options.appendTimeoutMs ?? 60_000;
    this.#maxPendingLength = options.maxPendingLength ?? 64 * 1024 * 1024;
  }

  /**
   * Takes the lines of a frame. Returns at once; never throws.
   *
   * @param length The length of the frame's JSON, if it is known. Default: it is computed.
   */
  write(frame: { readonly filePath: string; readonly entries: readonly SessionStoreEntry[] }, length?: number): void {
    const { filePath, entries } = frame;
    // What comes off the wire may be anything; thrown here, it would end the session of whoever reads.
    if (typeof filePath !== "string" || !Array.isArray(entries)) {
      const error = "the frame has no path or no entries, so nothing of it was stored";
      this.#losses.push({ error, key: undefined, filePath: String(filePath), entries: 0 });
      return;
    }
    if (entries.length === 0) return;
    const key = sessionKeyOfPath(filePath);
    const size = length ?? JSON.stringify(entries).length;
    if (key === undefined || this.#pendingLength + size > this.#maxPendingLength) {
      const error =
        key === undefined
          ? `${filePath} is not the path of a transcript, so its lines were not stored`
          : "the store is too slow: more waits for it than may, so these lines were not stored";
      this.#losses.push({ error, key, filePath, entries: entries.length });
      return;
    }
    this.#queue.push({ key, filePath, entries, length: size });
    this.#queuedEntries += entries.length;
    this.#queuedLength += size;
    this.#pendingLength += size;
    const isMuch = this.#queuedEntries > batchEntries || this.#queuedLength > batchLength;
    if (this.#isEager || isMuch) this.#startFlush();
  }

  /**
   * Stores what waits.
   *
   * @param waitMs Milliseconds to wait for it; what takes longer goes on beside. Default: until it is done.
   * @returns What was lost since the last call. Never rejects.
   */
  async flush(waitMs: number = Number.POSITIVE_INFINITY): Promise<readonly MirrorLoss[]> {
    this.#startFlush();
    await withDeadline(this.#flushed, waitMs);
    return this.#losses.splice(0);
  }

  /**
   * Stores what waits, and gives up what the store does not take in time. Nothing is written any more; no timer is left.
   *
   * @returns What was lost since the last call of this or `flush`. Never rejects.
   */
  async close(waitMs: number): Promise<readonly MirrorLoss[]> {
    this.#startFlush();
    await withDeadline(this.#flushed, waitMs);
    this.#isGivenUp = true;
    this.#giveUp();
    await this.#flushed;
    return this.#losses.splice(0);
  }

  #startFlush(): void {
    if (this.#queue.length === 0) return;
    const batches = this.#queue;
    this.#queue = [];
    this.#queuedEntries = 0;
    this.#queuedLength = 0;
    this.#flushed = this.#flushed.then(() => this.#storeBatches(batches));
  }

  /** Never rejects. */
  async #storeBatches(batches: readonly Batch[]): Promise<void> {
    const byFile = new Map<string, Batch[]>();
    for (const batch of batches) {
      const file = byFile.get(batch.filePath);
      if (file === undefined) byFile.set(batch.filePath, [batch]);
      else file.push(batch);
    }
    for (const [filePath, group] of byFile) {
      const [{ key }] = group as [Batch];
      const entries = group.flatMap((batch) => batch.entries);
      const error = await this.#append(key, entries);
      if (error !== undefined) this.#losses.push({ error, key, filePath, entries: entries.length });
      for (const { length } of group) this.#pendingLength -= length;
    }
  }

  /** @returns Why it failed for good; `undefined` when it was stored. */
  async #append(key: SessionKey, entries: SessionStoreEntry[]): Promise<string | undefined> {
    for (let attempt = 0; ; attempt++) {
      if (this.#isGivenUp) return "the session ended before the store took them";
      try {
        // Of a store that throws instead of rejecting, too.
        const appending = (async () => this.#store.append(key, entries))();
        if (await withDeadline(appending, this.#appendTimeoutMs, this.#givenUp)) return undefined;
        // Whether it still arrives is not known, so it is not tried again.
        return this.#isGivenUp
          ? "append() did not settle before the session ended"
          : `append() timed out after ${this.#appendTimeoutMs} ms`;
      } catch (error) {
        const pause = retryPausesMs[attempt];
        const isFinal = error instanceof SessionStoreError && !error.retryable;
        if (pause === undefined || isFinal) return `append() failed: ${textOf(error)}`;
        await withDeadline(never, pause, this.#givenUp);
      }
    }
  }
}

interface Batch {
  readonly key: SessionKey;
  readonly filePath: string;
  readonly entries: readonly SessionStoreEntry[];
  readonly length: number;
}

const never: Promise<never> = new Promise(() => {});

const batchEntries = 500;
const batchLength = 1024 * 1024;
const retryPausesMs = [200, 800];

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
