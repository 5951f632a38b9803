import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SessionKey } from "@reins/messages";
import type { EntryLine } from "../entry-line.ts";
import { SessionInUseError, type SessionStoreOperation } from "../errors.ts";
import {
  checkSessionLease,
  endLease,
  grantLease,
  type LeaseRecord,
  type LeaseTokens,
  prolongLease,
} from "../lease-record.ts";
import type { AcquireLeaseOptions, LeaseOptions, SessionLease } from "../session-lease.ts";
import type { SessionName } from "../session-store.ts";
import { hasCode, isMissing } from "./fs-errors.ts";
import type { Limiter } from "./limiter.ts";
import { makeFolder } from "./make-folder.ts";
import type { SessionFolders } from "./session-folders.ts";
import { LockHeldError, refuseIfLocked, SessionLock } from "./session-lock.ts";
import { StaleLogError, TranscriptLog, type TranscriptRepair } from "./transcript-log.ts";
import { type FsyncPolicy, replaceFile, syncFolder } from "./write-files.ts";

/** What a writer shares with its store. */
export interface SessionWriterContext {
  readonly folders: SessionFolders;
  readonly fsync: FsyncPolicy;
  /** Tells the store's locks from those of other store objects. */
  readonly instance: string;
  readonly onRepair: (repair: TranscriptRepair) => void;
  readonly tokens: LeaseTokens;
  /** Bounds how many sessions write at once. */
  readonly limiter: Limiter;
}

/** Does all that changes one session, one thing after the other, and holds the session's lock meanwhile. */
export class SessionWriter {
  readonly #session: SessionName;
  readonly #folder: string;
  readonly #context: SessionWriterContext;
  readonly #logs = new Map<string | undefined, TranscriptLog>();
  #lock: SessionLock | undefined;
  /** Known as long as the lock is held, since nobody else changes it then. */
  #lease: LeaseRecord | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #pending = 0;
  /** When the last task ended, in ms of `performance.now()`. */
  idleSince = 0;

  constructor(session: SessionName, context: SessionWriterContext) {
    this.#session = session;
    this.#context = context;
    this.#folder = context.folders.session(session);
  }

  /** True when nothing runs or waits. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** True while the lock is held. */
  get isLocked(): boolean {
    return this.#lock !== undefined;
  }

  append(key: SessionKey, lines: readonly EntryLine[], lease: SessionLease | undefined): Promise<void> {
    return this.#run(async () => {
      await this.#allow("append", lease);
      try {
        await (await this.#log(key)).append(lines);
      } catch (error) {
        if (!(error instanceof StaleLogError)) throw error;
        this.#logs.delete(key.subpath);
        await (await this.#log(key)).append(lines);
      }
    });
  }

  /** Moves the folder away at once; what is in it is removed afterwards. */
  delete(key: SessionKey, lease: SessionLease | undefined): Promise<void> {
    return this.#run(async () => {
      const folder = key.subpath === undefined ? this.#folder : this.#context.folders.transcript(key);
      if (!(await exists(folder))) return;
      await this.#allow("delete", lease).catch((error: unknown) => this.#allowWithoutSpace(error));
      const { trash } = this.#context.folders;
      const away = join(trash, randomUUID());
      await makeFolder(trash);
      await rename(folder, away);
      // With the folder of the session its lock and its lease are gone.
      if (key.subpath === undefined) this.#forget();
      else this.#logs.delete(key.subpath);
      if (this.#context.fsync === "always") await syncFolder(dirname(folder));
      await rm(away, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  acquireLease(options: AcquireLeaseOptions): Promise<LeaseRecord> {
    return this.#changeLease("acquireSessionLease", (last) =>
      grantLease(this.#session, last, this.#context.tokens, options),
    );
  }

  renewLease(lease: SessionLease, options: LeaseOptions): Promise<LeaseRecord> {
    return this.#changeLease("renewSessionLease", (last) => prolongLease(lease, last, options));
  }

  async releaseLease(lease: SessionLease): Promise<void> {
    await this.#run(async () => {
      if (endLease(lease, await this.#readLease()) === undefined) return;
      await this.#takeLock("releaseSessionLease");
      const record = endLease(lease, this.#lease);
      if (record !== undefined) await this.#writeLease(record);
    });
  }

  /** Gives the lock back when all that was asked for is done. The writer can be used again. */
  async close(): Promise<void> {
    await this.#enqueue(() => this.#unlock());
  }

  #changeLease(
    operation: SessionStoreOperation,
    change: (last: LeaseRecord | undefined) => LeaseRecord,
  ): Promise<LeaseRecord> {
    return this.#run(async () => {
      // Asked before the lock is taken, so that who is refused never gets into the way of the holder.
      change(await this.#readLease());
      await this.#takeLock(operation);
      const record = change(this.#lease);
      await this.#writeLease(record);
      return record;
    });
  }

  async #allow(operation: SessionStoreOperation, lease: SessionLease | undefined): Promise<void> {
    if (this.#lock === undefined) checkSessionLease(operation, this.#session, await this.#readLease(), lease);
    await this.#takeLock(operation);
    checkSessionLease(operation, this.#session, this.#lease, lease);
  }

  /** On a full disk no lock can be written, and deleting is what helps. Others cannot take the lock then either. */
  async #allowWithoutSpace(error: unknown): Promise<void> {
    if (!hasCode(error, "ENOSPC", "EDQUOT")) throw error;
    await refuseIfLocked(this.#folder).catch((held: unknown) => this.#refuse("delete", held));
  }

  #refuse(operation: SessionStoreOperation, error: unknown): never {
    if (!(error instanceof LockHeldError)) throw error;
    throw new SessionInUseError(operation, this.#session, { by: "lock", owner: error.owner });
  }

  async #takeLock(operation: SessionStoreOperation): Promise<void> {
    if (this.#lock !== undefined) {
      if (await this.#lock.confirm()) return;
      this.#forget();
    }
    const acquiring = SessionLock.acquire(this.#folder, this.#context.instance);
    this.#lock = await acquiring.catch((error: unknown) => this.#refuse(operation, error));
    this.#lease = await this.#readLease();
  }

  async #log(key: SessionKey): Promise<TranscriptLog> {
    const known = this.#logs.get(key.subpath);
    if (known !== undefined) return known;
    const { folders, fsync, onRepair } = this.#context;
    const log = await TranscriptLog.open(key, folders.transcript(key), {
      fsync,
      onRepair,
      createFolder: () => folders.create(key),
      foldersAbove: folders.above(key),
    });
    this.#logs.set(key.subpath, log);
    return log;
  }

  async #readLease(): Promise<LeaseRecord | undefined> {
    if (this.#lock !== undefined && this.#lease !== undefined) return this.#lease;
    try {
      // Only this class writes it, and at once.
      return JSON.parse(await readFile(this.#leasePath, "utf8")) as LeaseRecord;
    } catch (error) {
      // A power failure may leave an empty file, when nothing is forced to the disk.
      if (isMissing(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  async #writeLease(record: LeaseRecord): Promise<void> {
    await replaceFile(this.#leasePath, JSON.stringify(record), this.#context.fsync);
    this.#lease = record;
  }

  get #leasePath(): string {
    return join(this.#folder, "lease.json");
  }

  #run<T>(task: () => Promise<T>): Promise<T> {
    return this.#enqueue(async () => {
      const wasLocked = this.#lock !== undefined;
      try {
        return await task();
      } catch (error) {
        // What is on the disk counts from now on.
        this.#logs.clear();
        if (!wasLocked) await this.#unlock();
        throw error;
      }
    });
  }

  async #unlock(): Promise<void> {
    const lock = this.#lock;
    this.#forget();
    await lock?.release();
  }

  #forget(): void {
    this.#logs.clear();
    this.#lock = undefined;
    this.#lease = undefined;
  }

  async #enqueue<T>(task: () => Promise<T>): Promise<T> {
    this.#pending++;
    const run = this.#tail.then(() => this.#context.limiter.run(task));
    this.#tail = run.catch(() => {});
    try {
      return await run;
    } finally {
      this.#pending--;
      this.idleSince = performance.now();
    }
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
