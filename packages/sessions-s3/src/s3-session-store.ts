import { randomBytes } from "node:crypto";
import type { PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";
import {
  type AcquireLeaseOptions,
  checkProjectKey,
  checkSessionKey,
  type LeaseOptions,
  type LeasingSessionStore,
  type SessionKey,
  type SessionLease,
  type SessionName,
  type SessionStoreEntry,
  SessionStoreError,
  type SessionStoreOperation,
  type SessionStoreRow,
  type SessionSummaryEntry,
  type SessionWriteOptions,
} from "@reins/sessions";
import { Bucket, type Call } from "./bucket.ts";
import { compactTranscript } from "./compact-transcript.ts";
import { ConditionalWrites, sessionOf } from "./conditional-writes.ts";
import { FailedAppends } from "./failed-appends.ts";
import { Layout } from "./layout.ts";
import { Leases } from "./leases.ts";
import { fromSegment } from "./object-name.ts";
import { listParts, readHeader, readParts } from "./read-parts.ts";
import { removeTranscripts, transcriptPrefixes } from "./remove-transcripts.ts";
import { SessionLists } from "./session-lists.ts";
import { readSections } from "./transcript.ts";
import { TranscriptWriter, toBatch, type WriterContext } from "./transcript-writer.ts";

/** How an {@link S3SessionStore} is made. */
export interface S3SessionStoreOptions {
  /** Yours: its region, endpoint, credentials, path style, retries. The store never destroys it. */
  readonly client: Pick<S3Client, "send">;
  readonly bucket: string;
  /** Put in front of every key as it is, so end it with a slash. At most 300 characters. Default `""`. */
  readonly prefix?: string;
  /** How S3 encrypts what is stored: `"AES256"`, `"aws:kms"` or `"aws:kms:dsse"`. Default: as the bucket is set to. */
  readonly serverSideEncryption?: PutObjectCommandInput["ServerSideEncryption"];
  /** The key for `"aws:kms"`. Default: the account's. */
  readonly kmsKeyId?: string;
  /** Whether S3 uses one data key for many objects, which makes KMS cheaper. Default: as the bucket is set to. */
  readonly bucketKeyEnabled?: boolean;
  /**
   * The storage class of transcripts; what lists are made of stays in the standard class. Take one that can be read at once, so not
   * `"GLACIER"` or `"DEEP_ARCHIVE"`. Default: the standard class.
   */
  readonly storageClass?: PutObjectCommandInput["StorageClass"];
  /**
   * Whether writes look whether somebody has a lease on the session, and leases can be had. Needs an endpoint that enforces conditional
   * writes; where it does not, leases are refused and writes go on without. `false` saves a read per append. Default true.
   */
  readonly leases?: boolean;
  /** How many requests run at once. Default 16; the client's own pool has 50 sockets. */
  readonly maxRequests?: number;
  /** How long a request may take with the retries of the client, in ms. Default 30,000. */
  readonly timeoutMs?: number;
}

/** How a single call can be ended. */
export interface S3CallOptions {
  /** Ends the call; it rejects with the signal's reason. A write that was under way may have been done. */
  readonly signal?: AbortSignal;
}

/** How a session is compacted. */
export interface CompactSessionOptions extends S3CallOptions {
  /** Parts are merged up to about this size, in bytes; as much is held in memory. Default 8 MiB: several are fetched at once. */
  readonly maxPartBytes?: number;
}

/** What a compaction did. */
export interface CompactedTranscript {
  readonly key: SessionKey;
  readonly partsBefore: number;
  readonly partsAfter: number;
}

/** Transcripts whose end and uuids are kept in mind, so that appending need not read. */
const maxWriters = 200;

const maxPrefixLength = 300;

/**
 * Keeps sessions in a bucket of S3, or of anything that speaks its protocol.
 *
 * Each append becomes an object of its own under a key that no one else uses, whose name decides its place; nothing is ever changed in
 * place, and nothing but leases needs conditional writes. So writers in several processes never lose each other's entries, a retry cannot
 * store twice, and what is acknowledged is as durable as the bucket. Any number of stores may use the same bucket and prefix.
 *
 * @example
 * const store = new S3SessionStore({ client: new S3Client(), bucket: "agents", prefix: "sessions/" });
 * query({ prompt, options: { sessionStore: store } });
 * @see the README for the layout, the costs and the rights that are needed
 */
export class S3SessionStore implements LeasingSessionStore, AsyncDisposable {
  readonly #bucket: Bucket;
  readonly #layout: Layout;
  readonly #conditions: ConditionalWrites;
  readonly #leases: Leases;
  readonly #lists: SessionLists;
  readonly #storageClass: PutObjectCommandInput["StorageClass"];
  readonly #context: WriterContext;
  /** By the keys of their transcripts, the least recently used first. */
  readonly #writers = new Map<string, TranscriptWriter>();
  /** Deletions of whole sessions that run, by the keys of these. */
  readonly #deletions = new Map<string, Promise<unknown>>();
  readonly #background = new Set<Promise<unknown>>();
  #lastPosition = 0;
  #isClosed = false;

  /** @throws RangeError for options that cannot be meant. */
  constructor(options: S3SessionStoreOptions) {
    const { client, bucket, prefix = "", maxRequests = 16, timeoutMs = 30_000, storageClass, leases = true } = options;
    if (bucket === "") throw new RangeError("bucket must be the name of a bucket.");
    if (Buffer.byteLength(prefix) > maxPrefixLength) {
      throw new RangeError(
        `prefix must have at most ${maxPrefixLength} bytes, so that keys stay below the 1,024 of S3.`,
      );
    }
    if (!(maxRequests >= 1)) throw new RangeError(`maxRequests must be at least 1, not ${maxRequests}.`);
    if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw new RangeError(`timeoutMs must be positive, not ${timeoutMs}.`);
    const encryption = {
      ...(options.serverSideEncryption !== undefined && { ServerSideEncryption: options.serverSideEncryption }),
      ...(options.kmsKeyId !== undefined && { SSEKMSKeyId: options.kmsKeyId }),
      ...(options.bucketKeyEnabled !== undefined && { BucketKeyEnabled: options.bucketKeyEnabled }),
    };
    this.#bucket = new Bucket({ client, bucket, maxRequests, timeoutMs, encryption });
    this.#layout = new Layout(prefix);
    this.#conditions = new ConditionalWrites(this.#bucket, this.#layout);
    this.#leases = new Leases(this.#bucket, this.#layout, this.#conditions, leases);
    this.#lists = new SessionLists(this.#bucket, this.#layout);
    this.#storageClass = storageClass;
    this.#context = {
      bucket: this.#bucket,
      layout: this.#layout,
      writerId: randomBytes(8).toString("hex"),
      storageClass,
      failed: new FailedAppends(),
      nextPosition: (known) => {
        this.#lastPosition = Math.max(this.#lastPosition + 1, known + 1, Date.now());
        return this.#lastPosition;
      },
      inBackground: (task) => {
        this.#background.add(task);
        void task.finally(() => this.#background.delete(task));
      },
    };
  }

  /**
   * Stores entries at the end of a transcript. Calls on one transcript are done one after the other, those on several at the same time.
   *
   * @throws {@link S3RequestError} when a request fails. The same batch again is stored under the same key, so it is stored once, also the
   * entries without a uuid.
   * @throws SessionInUseError, SessionLeaseLostError as leases demand.
   */
  async append(
    key: SessionKey,
    entries: SessionStoreEntry[],
    options: SessionWriteOptions & S3CallOptions = {},
  ): Promise<void> {
    const call = this.#call("append", key, options);
    checkSessionKey("append", key);
    const batch = toBatch(key, entries);
    if (batch.lines.length === 0) return;
    const writer = this.#writerOf(key);
    const append = async () => {
      await this.#leases.check(call, key, options.lease);
      await writer.append(call, batch, options.lease?.token);
    };
    await writer.run(append, options.signal);
  }

  /** Reads a whole transcript. The parts are fetched at the same time; see {@link S3SessionStore.compactSession} when there are many. */
  async load(key: SessionKey, options: S3CallOptions = {}): Promise<SessionStoreEntry[] | null> {
    const call = this.#call("load", key, options);
    checkSessionKey("load", key);
    const writer = this.#writerOf(key);
    const reading = writer.beginReading();
    const parts = await readParts(this.#bucket, call, this.#layout.partsOf(key));
    const { transcript, entries } = readSections(call, key, parts);
    // Whoever loads is likely to append next.
    writer.learn(reading, transcript);
    return entries.length === 0 ? null : entries;
  }

  /** Lists the sessions of a project that have a main transcript, in the order of their names in the bucket. */
  async listSessions(projectKey: string, options: S3CallOptions = {}): Promise<SessionStoreRow[]> {
    const call = this.#call("listSessions", { projectKey }, options);
    checkProjectKey("listSessions", projectKey);
    return await this.#lists.sessions(call, projectKey);
  }

  /** Lists the same sessions with their summaries. What was read once is kept in the bucket, so that the next one finds it together. */
  async listSessionSummaries(projectKey: string, options: S3CallOptions = {}): Promise<SessionSummaryEntry[]> {
    const call = this.#call("listSessionSummaries", { projectKey }, options);
    checkProjectKey("listSessionSummaries", projectKey);
    return await this.#lists.summaries(call, projectKey);
  }

  /** Lists the subpaths of a session. */
  async listSubkeys(key: { projectKey: string; sessionId: string }, options: S3CallOptions = {}): Promise<string[]> {
    const call = this.#call("listSubkeys", key, options);
    checkSessionKey("listSubkeys", sessionOf(key));
    const below = this.#layout.subpathsOf(key);
    const folders = await this.#bucket.listFolders(call, below);
    const subpaths = await Promise.all(
      folders.map(async (folder) => fromSegment(folder) ?? (await this.#subpathOf(call, `${below}${folder}/`))),
    );
    return subpaths.filter((subpath) => subpath !== undefined);
  }

  /**
   * Deletes a session with all subpaths, or one subpath. Calls on it that were made before are waited for.
   *
   * What other store objects write at the same time stays, or goes, and one of them that goes on writing the session within seconds keeps the
   * uuids and the summary of before: use a lease to be sure.
   */
  async delete(key: SessionKey, options: SessionWriteOptions & S3CallOptions = {}): Promise<void> {
    const call = this.#call("delete", key, options);
    checkSessionKey("delete", key);
    const remove = async () => {
      await this.#leases.check(call, key, options.lease);
      await removeTranscripts(this.#bucket, this.#layout, call, key);
    };
    await this.#exclusively(key, remove, options.signal);
  }

  /**
   * Merges the parts of a session into few, so that loading needs few requests: of the main transcript and all subpaths, or of the one
   * transcript that the subpath names.
   *
   * May run while anybody writes, reads or compacts the session, and may be cut short at any point: entries are neither lost nor doubled.
   * Do it now and then for sessions of more than a few dozen parts, such as at their end. Errors call this operation `copy`.
   */
  async compactSession(key: SessionKey, options: CompactSessionOptions = {}): Promise<CompactedTranscript[]> {
    const call = this.#call("copy", key, options);
    checkSessionKey("copy", key);
    const { maxPartBytes = 8 * 2 ** 20 } = options;
    if (!(maxPartBytes > 0)) throw new RangeError(`maxPartBytes must be positive, not ${maxPartBytes}.`);
    const compacted: CompactedTranscript[] = [];
    // One after the other: each holds as much as a part in memory.
    for (const place of await transcriptPrefixes(this.#bucket, this.#layout, call, key)) {
      const hasName = key.subpath !== undefined || place.prefix === this.#layout.partsOf(place.key);
      const subpath = hasName ? place.key.subpath : await this.#subpathOf(call, place.prefix);
      const named = { ...sessionOf(key), ...(subpath !== undefined && { subpath }) };
      const target = { key: named, prefix: place.prefix, maxPartBytes, storageClass: this.#storageClass };
      const counts = await compactTranscript(this.#bucket, call, target);
      if (counts.partsBefore > 0) compacted.push({ key: named, ...counts });
    }
    return compacted;
  }

  /**
   * Tells whether the endpoint enforces `If-None-Match: *` and `If-Match`, which leases need. Found out by writing a small object under
   * `probe/`, once per store, by this or by the first write.
   */
  async enforcesConditionalWrites(options: S3CallOptions = {}): Promise<boolean> {
    const call = this.#call("acquireSessionLease", undefined, options);
    return (await this.#conditions.missing(call)) === undefined;
  }

  /**
   * Reserves a session, which need not exist. Times are those of this machine's clock, so clocks have to agree within the time of a lease.
   *
   * @throws SessionInUseError while another lease on it is valid.
   * @throws {@link S3LeasesUnavailableError} where the endpoint does not enforce conditional writes, with the reason.
   */
  async acquireSessionLease(
    session: SessionName,
    options: AcquireLeaseOptions & S3CallOptions = {},
  ): Promise<SessionLease> {
    const call = this.#call("acquireSessionLease", sessionOf(session), options);
    checkSessionKey("acquireSessionLease", sessionOf(session));
    return await this.#leases.acquire(call, session, options);
  }

  /** @throws SessionLeaseLostError when it was released or another was given out. */
  async renewSessionLease(lease: SessionLease, options: LeaseOptions & S3CallOptions = {}): Promise<SessionLease> {
    return await this.#leases.renew(this.#call("renewSessionLease", sessionOf(lease), options), lease, options);
  }

  /** Gives the session free. A lease that is lost already is left alone. */
  async releaseSessionLease(lease: SessionLease, options: S3CallOptions = {}): Promise<void> {
    await this.#leases.release(this.#call("releaseSessionLease", sessionOf(lease), options), lease);
  }

  /**
   * Waits for the appends and deletions that run, and for the removal of old summaries. Calls that come later are refused. The client stays
   * open: before you destroy it, wait for reads and compactions, too.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#writers.values()].map((writer) => writer.run(async () => {})));
    await Promise.allSettled([...this.#background]);
  }

  /** Closes the store at the end of a scope. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #call(
    operation: SessionStoreOperation,
    key: SessionKey | { projectKey: string } | undefined,
    { signal }: S3CallOptions,
  ): Call {
    if (this.#isClosed) throw new SessionStoreError("The store is closed. Make a new one.", { operation, key });
    signal?.throwIfAborted();
    return { operation, key, signal };
  }

  #writerOf(key: SessionKey): TranscriptWriter {
    const id = this.#layout.partsOf(key);
    const known = this.#writers.get(id);
    const writer = known ?? new TranscriptWriter(key, this.#context);
    const deletion = known === undefined ? this.#deletions.get(this.#layout.sessionOf(key)) : undefined;
    if (deletion !== undefined) void writer.run(() => deletion);
    this.#writers.delete(id);
    this.#writers.set(id, writer);
    for (const [oldId, old] of this.#writers) {
      if (this.#writers.size <= maxWriters) break;
      if (old.isIdle && old !== writer) this.#writers.delete(oldId);
    }
    return writer;
  }

  /** Runs something between the calls on a transcript, or on all transcripts of a session. */
  async #exclusively(key: SessionKey, task: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#writerOf(key);
    const session = this.#layout.sessionOf(key);
    const others = [...this.#writers].filter(([id, writer]) => id.startsWith(session) && writer !== own);
    const writers = key.subpath === undefined ? others.map(([, writer]) => writer) : [];
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const arrivals = writers.map((writer) => {
      return new Promise<void>((arrive) => {
        void writer.run(async () => {
          arrive();
          await ended;
          writer.forget();
        });
      });
    });
    if (key.subpath === undefined) this.#deletions.set(session, ended);
    try {
      const exclusive = async () => {
        await Promise.all(arrivals);
        await task().finally(() => own.forget());
      };
      await own.run(exclusive, signal);
    } finally {
      end();
      if (this.#deletions.get(session) === ended) this.#deletions.delete(session);
    }
  }

  /** The subpath of a transcript whose name was too long for a key, as its first part says. */
  async #subpathOf(call: Call, prefix: string): Promise<string | undefined> {
    const [first] = await listParts(this.#bucket, call, prefix);
    if (first === undefined) return undefined;
    return (await readHeader(this.#bucket, call, first.objectKey))?.key.subpath;
  }
}
