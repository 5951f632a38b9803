import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SessionKey } from "@reins/messages";
import { ReinsError } from "@reins/streamjson";
import { toEntryLines } from "../entry-line.ts";
import { describeKey, SessionStoreError, type SessionStoreOperation } from "../errors.ts";
import { LeaseTokens, toLease } from "../lease-record.ts";
import type { InspectableSessionStore, SessionIssue } from "../session-issue.ts";
import { checkProjectKey, checkSessionKey, sessionOf } from "../session-key.ts";
import type {
  AcquireLeaseOptions,
  LeaseOptions,
  LeasingSessionStore,
  SessionLease,
  SessionWriteOptions,
} from "../session-lease.ts";
import type { SessionName, SessionStoreEntry, SessionStoreRow, SessionSummaryEntry } from "../session-store.ts";
import { isTransient } from "./fs-errors.ts";
import { inspectTranscript } from "./inspect-transcript.ts";
import { Limiter } from "./limiter.ts";
import { makeFolder } from "./make-folder.ts";
import { loadTranscript, readCurrentSummary, readMtime } from "./read-transcript.ts";
import { SessionFolders } from "./session-folders.ts";
import type { SessionWriter } from "./session-writer.ts";
import type { TranscriptRepair } from "./transcript-log.ts";
import type { FsyncPolicy } from "./write-files.ts";
import { WriterPool } from "./writer-pool.ts";

/** How a store of files behaves. */
export interface FileSystemSessionStoreOptions {
  /** Folder that belongs to the store alone; made when it is not there. Not a folder of the CLI. */
  readonly root: string;
  /** When data is forced to the disk. Default `"always"`: a power failure loses nothing that was acknowledged. */
  readonly fsync?: FsyncPolicy;
  /** How long a session stays locked after its last write, in ms, at most 30,000. Default 5,000. */
  readonly lockIdleMs?: number;
  /** Called when the end of a transcript was repaired that a writer left when it died. Default: nobody is told. */
  readonly onRepair?: (repair: TranscriptRepair) => void;
}

/** 8 writers and 8 readers hold about 30 files open, whatever is asked for at once. */
const maxAtOnce = 8;

/**
 * Keeps sessions in files under a folder of its own. Has every optional capability, leases included.
 *
 * - An append is acknowledged when it is in the file, and by default on the disk. What a writer leaves that dies in the middle of one is
 *   cut off before the next append, and reported by `onRepair`.
 * - One store object writes a session at a time, in whichever process: it locks the session with the first append, and gives it back
 *   `lockIdleMs` after the last, or when closed. Others get a {@link SessionInUseError}. The lock of a process that died is taken over;
 *   on another machine this takes a minute, and the folder has to support hard links. Readers need no lock.
 * - Keys may hold anything: they cannot lead out of the folder, and never meet.
 *
 * Close it, or `await using` it, to give the locks back at once.
 *
 * @example
 * await using store = new FileSystemSessionStore({ root: "/var/lib/agent/sessions" });
 * @see contracts/session-store.md, "Files"
 */
export class FileSystemSessionStore implements LeasingSessionStore, InspectableSessionStore {
  readonly #root: string;
  readonly #folders: SessionFolders;
  readonly #writers: WriterPool;
  readonly #readers = new Limiter(maxAtOnce);
  #trashEmptied: Promise<void> | undefined;

  constructor(options: FileSystemSessionStoreOptions) {
    const { fsync = "always", lockIdleMs = 5_000, onRepair = () => {} } = options;
    if (typeof options.root !== "string" || options.root === "")
      throw new TypeError("root must be the path of a folder.");
    // Locks that are not touched for 60 s count as left behind.
    if (!(lockIdleMs >= 0 && lockIdleMs <= 30_000)) throw new RangeError("lockIdleMs must be between 0 and 30,000.");
    this.#root = resolve(options.root);
    this.#folders = new SessionFolders(this.#root, fsync);
    const context = {
      folders: this.#folders,
      fsync,
      instance: randomUUID(),
      onRepair,
      tokens: new LeaseTokens(),
      limiter: new Limiter(maxAtOnce),
    };
    this.#writers = new WriterPool(context, lockIdleMs);
  }

  /** The folder, as an absolute path. */
  get root(): string {
    return this.#root;
  }

  async append(key: SessionKey, entries: SessionStoreEntry[], options: SessionWriteOptions = {}): Promise<void> {
    checkSessionKey("append", key);
    const lines = toEntryLines(key, entries);
    if (lines.length === 0) return;
    await this.#write("append", key, (writer) => writer.append(key, lines, options.lease));
  }

  /** @throws {@link CorruptTranscriptError} when a line in the middle is broken: something else wrote to the file, or the disk failed. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    checkSessionKey("load", key);
    return this.#read("load", key, () => this.#readers.run(() => loadTranscript(this.#folders.transcript(key), key)));
  }

  async listSessions(projectKey: string): Promise<SessionStoreRow[]> {
    return this.#list("listSessions", projectKey, async (key, folder) => {
      const mtime = await readMtime(folder);
      return mtime === undefined ? undefined : { sessionId: key.sessionId, mtime };
    });
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return this.#list("listSessionSummaries", projectKey, (key, folder) => readCurrentSummary(folder, key));
  }

  async delete(key: SessionKey, options: SessionWriteOptions = {}): Promise<void> {
    checkSessionKey("delete", key);
    await this.#write("delete", key, (writer) => writer.delete(key, options.lease));
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const session = sessionOf(key);
    checkSessionKey("listSubkeys", session);
    return this.#read("listSubkeys", session, async () => {
      const found = (await this.#folders.subpaths(session)).map((subpath) =>
        this.#readers.run(async () => {
          const mtime = await readMtime(this.#folders.transcript({ ...session, subpath }));
          return mtime === undefined ? [] : [subpath];
        }),
      );
      return (await Promise.all(found)).flat();
    });
  }

  /** @throws {@link SessionInUseError} while another lease is valid, or another store object writes the session. */
  async acquireSessionLease(name: SessionName, options: AcquireLeaseOptions = {}): Promise<SessionLease> {
    const session = sessionOf(name);
    checkSessionKey("acquireSessionLease", session);
    const record = await this.#write("acquireSessionLease", session, (writer) => writer.acquireLease(options));
    return toLease(session, record);
  }

  /** @throws {@link SessionLeaseLostError} when the lease was released or another was given out. */
  async renewSessionLease(lease: SessionLease, options: LeaseOptions = {}): Promise<SessionLease> {
    const session = sessionOf(lease);
    const record = await this.#write("renewSessionLease", session, (writer) => writer.renewLease(lease, options));
    return toLease(session, record);
  }

  async releaseSessionLease(lease: SessionLease): Promise<void> {
    await this.#write("releaseSessionLease", sessionOf(lease), (writer) => writer.releaseLease(lease));
  }

  /** Finds what is wrong with the files of a transcript, for `verifySession`. Changes nothing. */
  async inspect(key: SessionKey): Promise<SessionIssue[]> {
    checkSessionKey("verify", key);
    return this.#read("verify", key, () =>
      this.#readers.run(() => inspectTranscript(this.#folders.transcript(key), key)),
    );
  }

  /** Waits for the writes that were begun, and gives all locks back. Later calls that write are refused; reading goes on. */
  close(): Promise<void> {
    return this.#writers.close();
  }

  /** The same as {@link FileSystemSessionStore.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #write<T>(
    operation: SessionStoreOperation,
    key: SessionKey,
    task: (writer: SessionWriter) => Promise<T>,
  ): Promise<T> {
    if (this.#writers.isClosed) {
      throw new SessionStoreError(`The store at ${this.#root} is closed. Open another.`, { operation, key });
    }
    try {
      // The call comes before the wait, so that the order of calls is the order of entries.
      const [result] = await Promise.all([this.#writers.run(key, task), this.#emptyTrash()]);
      return result;
    } catch (error) {
      throw toStoreError(operation, key, error);
    }
  }

  async #read<T>(
    operation: SessionStoreOperation,
    key: SessionKey | { readonly projectKey: string },
    task: () => Promise<T>,
  ): Promise<T> {
    try {
      return await task();
    } catch (error) {
      throw toStoreError(operation, key, error);
    }
  }

  async #list<T>(
    operation: SessionStoreOperation,
    projectKey: string,
    read: (key: SessionKey, folder: string) => Promise<T | undefined>,
  ): Promise<T[]> {
    checkProjectKey(operation, projectKey);
    return this.#read(operation, { projectKey }, async () => {
      const ids = await this.#folders.sessionIds(projectKey);
      const rows = ids.map((sessionId) => {
        const key = { projectKey, sessionId };
        return this.#readers.run(() => read(key, this.#folders.transcript(key)));
      });
      return (await Promise.all(rows)).filter((row) => row !== undefined);
    });
  }

  /** What a deletion left that was cut short. Nothing depends on it, so a failure is tried again by the next store. */
  #emptyTrash(): Promise<void> {
    this.#trashEmptied ??= (async () => {
      const { trash } = this.#folders;
      // Made now, since a disk that is full has no room for it when it is needed.
      await makeFolder(trash).catch(() => {});
      for (const name of await readdir(trash).catch(() => [])) {
        await rm(join(trash, name), { recursive: true, force: true }).catch(() => {});
      }
    })();
    return this.#trashEmptied;
  }
}

function toStoreError(
  operation: SessionStoreOperation,
  key: SessionKey | { readonly projectKey: string },
  error: unknown,
): unknown {
  // Ours say what happened; a wrong argument is the caller's, and not the store's.
  if (error instanceof ReinsError || error instanceof TypeError || error instanceof RangeError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SessionStoreError(`${operation} failed for ${describeKey(key)}: ${reason}.`, {
    operation,
    key,
    retryable: isTransient(error),
    cause: error,
  });
}
