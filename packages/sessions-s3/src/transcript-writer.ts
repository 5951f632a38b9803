import type { PutObjectCommandInput } from "@aws-sdk/client-s3";
import { type SessionKey, type SessionStoreEntry, toEntryLines } from "@reins/sessions";
import type { Bucket, Call } from "./bucket.ts";
import type { FailedAppends } from "./failed-appends.ts";
import type { Layout } from "./layout.ts";
import { listMarks, putMark } from "./marks.ts";
import { decodePart, encodePart } from "./part.ts";
import { appendedName } from "./part-name.ts";
import { listParts, readParts } from "./read-parts.ts";
import { parseLines, readSections, type Transcript, uuidOf } from "./transcript.ts";
import { untilAborted } from "./until-aborted.ts";

/** One line of JSON per entry, as they were when they were given. */
export interface Batch {
  readonly entries: readonly SessionStoreEntry[];
  readonly lines: readonly string[];
}

/**
 * Freezes entries as they are now.
 *
 * @throws InvalidEntryError for the first one that is no JSON object with a `type`.
 */
export function toBatch(key: SessionKey, entries: readonly SessionStoreEntry[]): Batch {
  const lines = toEntryLines(key, entries).map(({ json }) => json);
  // JSON of entries; a copy, since the caller may change what it gave.
  return { lines, entries: lines.map((line) => JSON.parse(line) as SessionStoreEntry) };
}

/** What writers of one store share. */
export interface WriterContext {
  readonly bucket: Bucket;
  readonly layout: Layout;
  /** Names the store object in the keys of what it writes. */
  readonly writerId: string;
  readonly storageClass: PutObjectCommandInput["StorageClass"];
  readonly failed: FailedAppends;
  /** A position above the given one, above all that were given out before, and not behind the clock. */
  nextPosition(known: number): number;
  /** Lets something run on its own; `close` of the store waits for it. */
  inBackground(task: Promise<void>): void;
}

interface Reading {
  readonly number: number;
  readonly calls: number;
}

/** What an append stores. */
interface NextPart {
  readonly name: string;
  readonly body: string;
}

/**
 * Behind a pause of this length others are expected to have written, so the end of the transcript is looked up again. A turn of a
 * conversation writes more often than that.
 */
const freshMs = 5_000;

/** Appends to one transcript, one call after the other. Knows what is stored so far, so that a call need not read. */
export class TranscriptWriter {
  readonly #key: SessionKey;
  readonly #context: WriterContext;
  readonly #prefix: string;
  #tail: Promise<unknown> = Promise.resolve();
  #running = 0;
  /** Grows with each call, so that a reading which overlapped one is recognised. */
  #calls = 0;
  #readings = 0;
  /** Number of the reading that was taken over last. */
  #learned = 0;
  #known: Transcript | undefined;
  #lookedUpAt = 0;
  /** Someone else's part was found, or an own one may have landed. */
  #isStale = false;
  #leaseToken: number | undefined;
  /** Whether the last mark is behind the transcript. */
  #isMarkDue = false;
  /** Keys of the marks that the next one replaces. */
  #lastMarks: string[] = [];
  /** Keys of those that were replaced and are to be removed. */
  #oldMarks: string[] = [];
  #isRemoving = false;
  #areMarksKnown = true;

  constructor(key: SessionKey, context: WriterContext) {
    this.#key = key;
    this.#context = context;
    this.#prefix = context.layout.partsOf(key);
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Runs something when the calls before are done, and lets those after it wait. An aborted one does not wait for its turn. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#running++;
    this.#calls++;
    const turn = this.#tail.then(async () => {
      signal?.throwIfAborted();
      return await task();
    });
    this.#tail = turn
      .catch(() => {})
      .then(() => {
        this.#running--;
        this.#calls++;
      });
    return await (signal === undefined ? turn : untilAborted(() => turn, signal));
  }

  /** What a reading that begins now hands back to {@link learn}. */
  beginReading(): Reading {
    this.#readings++;
    return { number: this.#readings, calls: this.#calls };
  }

  /** Takes over what a reading found, unless something was written meanwhile or a later reading is through already. */
  learn({ number, calls }: Reading, transcript: Transcript): void {
    if (!this.isIdle || calls !== this.#calls || number < this.#learned) return;
    this.#learned = number;
    this.#take(transcript);
  }

  /** Forgets everything: the transcript was deleted. */
  forget(): void {
    this.#known = undefined;
    this.#context.failed.forgetAll(this.#prefix);
    this.#lastMarks = [];
    this.#isMarkDue = false;
  }

  /** Must be called within {@link run}. */
  async append(call: Call, batch: Batch, leaseToken: number | undefined): Promise<void> {
    if (leaseToken !== undefined && leaseToken !== this.#leaseToken) this.#isStale = true;
    this.#leaseToken = leaseToken;
    const known = await this.#lookUp(call);
    const { failed } = this.#context;
    const retried = failed.nameOf(this.#prefix, batch.lines);
    // It had landed all the same when the look-up found it.
    const isStored = retried !== undefined && known.hasSection(retried);
    const next = isStored ? undefined : this.#prepare(known, batch, retried);
    if (next !== undefined) await this.#put(call, known, next, batch);
    if (this.#key.subpath === undefined && this.#isMarkDue) await this.#mark(call, this.#known ?? known);
    failed.forget(this.#prefix, batch.lines);
  }

  /** Gives what is to be stored, if anything of a batch is new. */
  #prepare(known: Transcript, { entries, lines }: Batch, retried: string | undefined): NextPart | undefined {
    const uuids = new Set<string>();
    const isFresh = entries.map((entry) => {
      const uuid = uuidOf(entry);
      if (uuid === undefined) return true;
      if (known.has(uuid) || uuids.has(uuid)) return false;
      uuids.add(uuid);
      return true;
    });
    if (!isFresh.includes(true)) return undefined;
    const { nextPosition, writerId } = this.#context;
    const name = retried ?? appendedName(nextPosition(known.position), writerId);
    const section = { name, lines: lines.filter((_, index) => isFresh[index]) };
    return { name, body: encodePart(this.#key, [section]) };
  }

  async #put(call: Call, known: Transcript, { name, body }: NextPart, { entries, lines }: Batch): Promise<void> {
    const { bucket, storageClass, failed } = this.#context;
    // Until the mark is written, too: then the same batch again only writes that.
    failed.keep(this.#prefix, lines, name);
    try {
      await bucket.put(call, this.#prefix + name, body, storageClass);
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    if (name > known.listedUpTo) known.add(name, entries);
    else {
      // Others were stored since it was sent first. It stands before them, and so it has to be folded.
      this.#take(await this.#readAll(call));
      if (!this.#areMarksKnown) await this.#lookAtMarks(call);
    }
    this.#lookedUpAt = performance.now();
    this.#isMarkDue = true;
  }

  async #mark(call: Call, known: Transcript): Promise<void> {
    const { bucket, layout, writerId } = this.#context;
    // Of the part that was just written, or, for one whose writer left it without a mark, beside it.
    const objectKey = layout.marksOf(this.#key) + appendedName(known.position, writerId);
    await putMark(bucket, call, objectKey, this.#key, known.summary);
    this.#isMarkDue = false;
    this.#oldMarks.push(...this.#lastMarks.filter((key) => key !== objectKey));
    this.#lastMarks = [objectKey];
    if (!this.#isRemoving && this.#oldMarks.length > 0) this.#context.inBackground(this.#removeOldMarks(call));
  }

  /** Goes on until there are none. What cannot be removed does no harm, and the next mark tries again. */
  async #removeOldMarks({ operation, key }: Call): Promise<void> {
    this.#isRemoving = true;
    while (this.#oldMarks.length > 0) {
      const old = this.#oldMarks;
      this.#oldMarks = [];
      try {
        await this.#context.bucket.remove({ operation, key }, old);
      } catch {
        this.#oldMarks.push(...old);
        break;
      }
    }
    this.#isRemoving = false;
  }

  /** Makes sure that everything is known which was acknowledged to anybody this caller can know of. */
  async #lookUp(call: Call): Promise<Transcript> {
    const known = this.#known;
    const isFresh = performance.now() - this.#lookedUpAt < freshMs;
    if (known === undefined) this.#take(await this.#readAll(call));
    else if (this.#isStale || !isFresh) await this.#readTail(call, known);
    if (!this.#areMarksKnown) await this.#lookAtMarks(call);
    // Taken above if it was not there.
    return this.#known as Transcript;
  }

  async #readAll(call: Call): Promise<Transcript> {
    const { bucket } = this.#context;
    return readSections(call, this.#key, await readParts(bucket, call, this.#prefix)).transcript;
  }

  async #readTail(call: Call, known: Transcript): Promise<void> {
    const { bucket } = this.#context;
    const { listedUpTo } = known;
    // The last known one has to be there still; otherwise the transcript was compacted or deleted.
    const parts = await listParts(bucket, call, this.#prefix, listedUpTo === "" ? undefined : listedUpTo.slice(0, -1));
    const later = parts.filter(({ name }) => name > listedUpTo);
    const isContinued =
      (listedUpTo === "" || parts.some(({ name }) => name === listedUpTo)) &&
      later.every(({ generation }) => generation === 0);
    const objects = isContinued ? await Promise.all(later.map(({ objectKey }) => bucket.get(call, objectKey))) : [];
    if (!isContinued || objects.includes(undefined)) {
      this.#take(await this.#readAll(call));
      return;
    }
    for (const [index, { objectKey }] of later.entries()) {
      const { sections } = decodePart(call, objectKey, objects[index]?.text ?? "");
      for (const section of sections) known.add(section.name, parseLines(call, section));
    }
    if (later.length > 0) this.#areMarksKnown = this.#key.subpath !== undefined;
    this.#isStale = false;
    this.#lookedUpAt = performance.now();
  }

  #take(transcript: Transcript): void {
    this.#known = transcript;
    this.#isStale = false;
    this.#lookedUpAt = performance.now();
    // Where nothing was stored yet nobody has left a mark.
    this.#areMarksKnown = transcript.isEmpty || this.#key.subpath !== undefined;
    this.#isMarkDue = false;
  }

  /** Finds out which marks the next one replaces, and whether one is missing since its writer died or failed. */
  async #lookAtMarks(call: Call): Promise<void> {
    const { bucket, layout } = this.#context;
    const marks = await listMarks(bucket, call, layout, this.#key);
    const areCovered = marks.every(({ writer, position }) => this.#known?.covers(writer, position));
    // A mark is written behind its part: what is read after the marks were listed covers them.
    if (!areCovered) this.#take(await this.#readAll(call));
    this.#lastMarks = marks.map(({ objectKey }) => objectKey);
    this.#isMarkDue = marks.length !== 1 || marks[0]?.position !== this.#known?.position;
    this.#areMarksKnown = true;
  }
}
