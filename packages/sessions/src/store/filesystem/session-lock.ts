import { randomUUID } from "node:crypto";
import { link, readdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, isMissing } from "./fs-errors.ts";
import { makeFolder } from "./make-folder.ts";
import { identifyProcess, isKnownDead, type ProcessIdentity } from "./process-identity.ts";

/**
 * A lock that was not touched for so long belongs to nobody: its holder was killed on another machine, or is stopped. Live holders give
 * theirs back after seconds without a write.
 */
const staleAfterMs = 60_000;

/** A holder that goes on writing touches its lock well before it gets stale. */
const touchAfterMs = 15_000;

/** Each try fails only when somebody else succeeded in between. */
const maxTries = 50;

/** Somebody else holds the lock. */
export class LockHeldError extends Error {
  /** Host and process id. */
  readonly owner: string;

  constructor(owner: string) {
    super(`Locked by ${owner}.`);
    this.owner = owner;
  }
}

interface LockFile {
  readonly path: string;
  readonly generation: number;
}

/**
 * The right to write the files of one session, for one store object.
 *
 * The lock is the file `lock.N` with the highest N. Taking it means to create N + 1 with `link`, which only one process can do, so that
 * nobody ever removes the lock of somebody else by mistake; giving it back means to write `free` into it.
 */
export class SessionLock {
  readonly #path: string;
  readonly #content: string;
  readonly #inode: number;
  /** On a clock that nobody sets: after a jump of the other one the lock would get stale, or be written for each append. */
  #touchedAt = performance.now();

  private constructor(path: string, content: string, inode: number) {
    this.#path = path;
    this.#content = content;
    this.#inode = inode;
  }

  /**
   * Takes the lock of a session; makes the folder of the session when it is not there.
   *
   * @throws LockHeldError when a live process, or another store object of this one, has it.
   */
  static async acquire(folder: string, instance: string): Promise<SessionLock> {
    const self = await identifyProcess();
    const content = JSON.stringify({ ...self, instance });
    const draft = `lock-${randomUUID()}.tmp`;
    for (let tries = 0; tries < maxTries; tries++) {
      await makeFolder(folder);
      try {
        return await SessionLock.#tryAcquire(folder, join(folder, draft), content, self);
      } catch (error) {
        // EEXIST: somebody was faster. ENOENT: the session was deleted meanwhile.
        if (!hasCode(error, "EEXIST") && !isMissing(error)) throw error;
      } finally {
        await unlink(join(folder, draft)).catch(() => {});
      }
    }
    throw new LockHeldError("several processes in turn");
  }

  static async #tryAcquire(
    folder: string,
    draft: string,
    content: string,
    self: ProcessIdentity,
  ): Promise<SessionLock> {
    await writeFile(draft, content, { mode: 0o600, flag: "wx" });
    const created = await stat(draft);
    const locks = await listLocks(folder);
    const top = locks.at(-1);
    // The age is measured with the clock of the file system, which machines that share it share too.
    if (top !== undefined) await refuseIfHeld(top.path, self, created.mtimeMs);
    const path = join(folder, `lock.${(top?.generation ?? 0) + 1}`);
    await link(draft, path);
    // When the session was deleted and made anew in between, the new lock may stand beside a lower one that is valid.
    if (top !== undefined) {
      await stat(top.path).catch(async (error: unknown) => {
        await unlink(path).catch(() => {});
        throw error;
      });
    }
    for (const old of locks) await unlink(old.path).catch(() => {});
    await removeOldDrafts(folder, created.mtimeMs);
    return new SessionLock(path, content, created.ino);
  }

  /** Tells whether the lock is still held; a process that was stopped for a minute may have lost it. Keeps it from getting stale. */
  async confirm(): Promise<boolean> {
    try {
      if ((await stat(this.#path)).ino !== this.#inode) return false;
      if (performance.now() - this.#touchedAt < touchAfterMs) return true;
      // Writing sets the time by the clock of the file system; utimes would set it by ours.
      await writeFile(this.#path, this.#content, { flag: "r+" });
      this.#touchedAt = performance.now();
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /**
   * Gives the lock back. One that was lost, or whose session was deleted, is left alone. Never rejects: a lock that cannot be given back
   * gets stale.
   */
  async release(): Promise<void> {
    try {
      if (!(await this.confirm())) return;
      await writeFile(this.#path, "free\n", { flag: "r+" });
    } catch {}
  }
}

/**
 * Looks whether somebody holds the lock of a session, without taking it.
 *
 * @throws LockHeldError when a live process, or a store object of this one, has it.
 */
export async function refuseIfLocked(folder: string): Promise<void> {
  const top = (await listLocks(folder)).at(-1);
  if (top !== undefined) await refuseIfHeld(top.path, await identifyProcess(), Date.now());
}

/** What processes left that were killed while they tried. Younger drafts may be of some that are trying now. */
async function removeOldDrafts(folder: string, now: number): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => /^lock-.*\.tmp$/.test(name));
  for (const path of drafts.map((name) => join(folder, name))) {
    const age = await stat(path).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0,
    );
    if (age > staleAfterMs) await unlink(path).catch(() => {});
  }
}

async function listLocks(folder: string): Promise<LockFile[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => {
      const match = /^lock\.(\d+)$/.exec(name);
      return match === null ? [] : [{ path: join(folder, name), generation: Number(match[1]) }];
    })
    .sort((a, b) => a.generation - b.generation);
}

async function refuseIfHeld(path: string, self: ProcessIdentity, now: number): Promise<void> {
  const content = await readFile(path, "utf8");
  const holder = parseHolder(content);
  if (holder === undefined) return;
  if (now - (await stat(path)).mtimeMs > staleAfterMs) return;
  if (await isKnownDead(holder, self)) return;
  throw new LockHeldError(`${holder.host}:${holder.pid}`);
}

/** `undefined` for a free lock, and for what a power failure left of one: `link` never shows half a lock otherwise. */
function parseHolder(content: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(content);
    const isHolder = typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number";
    // Only this file writes locks.
    return isHolder ? (value as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}
