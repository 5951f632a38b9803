import { constants, type FileHandle, open, readdir, rename, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { SessionKey } from "@reins/messages";
import { type EntryLine, isFresh, uuidOf } from "../entry-line.ts";
import { foldSessionSummary } from "../fold-session-summary.ts";
import type { SessionStoreEntry, SessionSummaryEntry } from "../session-store.ts";
import { isMissing } from "./fs-errors.ts";
import { parseEntry, scanLines } from "./scan-lines.ts";
import { readSummary, writeSummary } from "./summary-file.ts";
import { UuidIndex } from "./uuid-index.ts";
import { type FsyncPolicy, sync, syncFolder, writeNewFile } from "./write-files.ts";

/** Names of the files in the folder of a transcript. */
export const transcriptFile = "transcript.jsonl";
export const summaryFile = "summary.json";
export const indexFile = "uuids.jsonl";

/** What a writer that died left at the end of a transcript, and what was done about it. Nothing of it was ever acknowledged. */
export interface TranscriptRepair {
  readonly key: SessionKey;
  /** The transcript's file. */
  readonly path: string;
  /** Offset of the first byte that was not in order. */
  readonly byteOffset: number;
  /** How many bytes stood there. */
  readonly bytes: number;
  /** `cut`: the bytes are no entry and were removed. `completed`: they are an entry whose newline was missing. */
  readonly action: "cut" | "completed";
  /** Their first 1,024 bytes as text. */
  readonly excerpt: string;
}

/** Somebody without the lock, such as a person with an editor, changed the file. Nothing was written; the log has to be opened anew. */
export class StaleLogError extends Error {}

/** What a log needs to know of its store. */
export interface TranscriptLogOptions {
  readonly fsync: FsyncPolicy;
  readonly onRepair: (repair: TranscriptRepair) => void;
  /** Makes the folder of the transcript. */
  readonly createFolder: () => Promise<void>;
  /** Folders whose names must reach the disk with a new transcript. */
  readonly foldersAbove: readonly string[];
}

/**
 * The end of one transcript, where entries are added. Only for who holds the lock of the session; after any failure it has to be opened
 * anew.
 */
export class TranscriptLog {
  readonly #key: SessionKey;
  readonly #folder: string;
  readonly #path: string;
  readonly #options: TranscriptLogOptions;
  readonly #index: UuidIndex;
  #uuids = new Set<string>();
  #size = 0;
  #mtime = 0;
  #summary: SessionSummaryEntry | undefined;

  private constructor(key: SessionKey, folder: string, options: TranscriptLogOptions) {
    this.#key = key;
    this.#folder = folder;
    this.#path = join(folder, transcriptFile);
    this.#options = options;
    this.#index = new UuidIndex(join(folder, indexFile));
  }

  /** Reads what is needed to append, and repairs the end of the file. */
  static async open(key: SessionKey, folder: string, options: TranscriptLogOptions): Promise<TranscriptLog> {
    const log = new TranscriptLog(key, folder, options);
    const size = await sizeOf(log.#path);
    await log.#clearRemains(size === undefined);
    if (size !== undefined) await log.#recover(size);
    return log;
  }

  /** Adds the lines that are not stored yet. Resolves when they are as safe as the policy says. */
  async append(lines: readonly EntryLine[]): Promise<void> {
    const fresh = lines.filter(({ uuid }) => isFresh(uuid, this.#uuids));
    if (fresh.length === 0) return;
    const bytes = Buffer.from(`${fresh.map(({ json }) => json).join("\n")}\n`);
    this.#mtime = Math.max(Date.now(), this.#mtime + 1);
    if (this.#size === 0) await this.#create(bytes);
    else await this.#extend(bytes);
    this.#size += bytes.length;
    await this.#updateDerived(fresh);
  }

  /** The first batch appears at once, so that no session exists that has no entries. */
  async #create(bytes: Buffer): Promise<void> {
    await this.#options.createFolder();
    const draft = `${this.#path}.tmp`;
    await writeNewFile(draft, bytes, this.#options.fsync);
    await setMtime(draft, this.#mtime);
    await rename(draft, this.#path);
    if (this.#options.fsync === "never") return;
    for (const folder of this.#options.foldersAbove) await syncFolder(folder);
  }

  async #extend(bytes: Buffer): Promise<void> {
    // Appending, so that a holder which was stopped and has lost its lock unseen can never write over anything; without making the file.
    const file = await open(this.#path, constants.O_WRONLY | constants.O_APPEND).catch((error: unknown) => {
      throw isMissing(error) ? new StaleLogError() : error;
    });
    try {
      if ((await file.stat()).size !== this.#size) throw new StaleLogError();
      try {
        await file.writeFile(bytes);
        await sync(file, this.#options.fsync);
      } catch (error) {
        // As if it had not been begun. If this fails too, the next opening repairs.
        await file.truncate(this.#size).catch(() => {});
        throw error;
      }
      await file.utimes(new Date(this.#mtime), new Date(this.#mtime));
    } finally {
      await file.close();
    }
  }

  /** Index and summary only follow: the entries are stored, so a failure here is no failure of the append. */
  async #updateDerived(fresh: readonly EntryLine[]): Promise<void> {
    const uuids = fresh.flatMap(({ uuid }) => uuid ?? []);
    await this.#index.add(uuids, this.#size).catch(() => {});
    if (!this.#hasSummary) return;
    // Parsed again, since the objects that were given may have changed meanwhile.
    this.#fold(fresh.map(({ json }) => JSON.parse(json) as SessionStoreEntry));
    if (this.#summary === undefined) return;
    await writeSummary(join(this.#folder, summaryFile), { summary: this.#summary, end: this.#size }).catch(() => {});
  }

  /** Removes drafts of a writer that died; with `all`, what is left of a transcript that is not there. */
  async #clearRemains(all: boolean): Promise<void> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const remains = names.filter((name) => name.endsWith(".tmp") || (all && [summaryFile, indexFile].includes(name)));
    for (const name of remains) await unlink(join(this.#folder, name));
  }

  async #recover(size: number): Promise<void> {
    const indexed = await this.#index.load();
    const stored = this.#hasSummary ? await readSummary(join(this.#folder, summaryFile)) : undefined;
    const file = await open(this.#path, "r+");
    try {
      this.#mtime = toMtime(await file.stat());
      const uuidsEnd = (await isLineEnd(file, indexed.end, size)) ? indexed.end : 0;
      if (uuidsEnd > 0) this.#uuids = indexed.uuids;
      else await this.#index.reset();
      const summaryEnd = stored !== undefined && (await isLineEnd(file, stored.end, size)) ? stored.end : 0;
      if (summaryEnd > 0) this.#summary = stored?.summary;

      const fresh: string[] = [];
      // What the index covers was acknowledged: whatever is wrong there is not for us to cut.
      const last = { byteOffset: uuidsEnd, end: uuidsEnd, terminated: true };
      for await (const lines of scanLines(file, this.#hasSummary ? Math.min(uuidsEnd, summaryEnd) : uuidsEnd)) {
        const unfolded: SessionStoreEntry[] = [];
        for (const { bytes, byteOffset, terminated } of lines) {
          const entry = parseEntry(bytes);
          // One that stands before a whole one is left for load and verifySession to report.
          if (entry === undefined) continue;
          const uuid = uuidOf(entry);
          if (byteOffset >= summaryEnd) unfolded.push(entry);
          if (byteOffset < uuidsEnd) continue;
          Object.assign(last, { byteOffset, end: byteOffset + bytes.length + (terminated ? 1 : 0), terminated });
          if (uuid !== undefined) fresh.push(uuid);
        }
        if (this.#hasSummary) this.#fold(unfolded);
      }
      this.#size = await this.#repairEnd(file, size, last);
      for (const uuid of fresh) this.#uuids.add(uuid);
      if (this.#size > uuidsEnd) await this.#index.add(fresh, this.#size);
    } finally {
      await file.close();
    }
  }

  get #hasSummary(): boolean {
    return this.#key.subpath === undefined;
  }

  #fold(entries: readonly SessionStoreEntry[]): void {
    if (entries.length > 0)
      this.#summary = foldSessionSummary(this.#summary, this.#key, entries, { mtime: this.#mtime });
  }

  /** Cuts what stands behind the last whole entry, or ends that entry with its newline. Gives the size of the file afterwards. */
  async #repairEnd(
    file: FileHandle,
    size: number,
    last: { byteOffset: number; end: number; terminated: boolean },
  ): Promise<number> {
    if (last.end === size && last.terminated) return size;
    const byteOffset = last.terminated ? last.end : last.byteOffset;
    const excerpt = Buffer.alloc(Math.min(1_024, size - byteOffset));
    await file.read(excerpt, 0, excerpt.length, byteOffset);
    if (last.terminated) await file.truncate(last.end);
    else await file.write("\n", size);
    await sync(file, this.#options.fsync);
    this.#options.onRepair({
      key: this.#key,
      path: this.#path,
      byteOffset,
      bytes: size - byteOffset,
      action: last.terminated ? "cut" : "completed",
      excerpt: excerpt.toString("utf8"),
    });
    return last.terminated ? last.end : size + 1;
  }
}

/** The time of a transcript as lists give it. The system rounds what was set, so it is rounded back. */
export function toMtime(stats: { readonly mtimeMs: number }): number {
  return Math.round(stats.mtimeMs);
}

/** Tells whether an offset that was noted down is where a line of the file ends. */
export async function isLineEnd(file: FileHandle, end: number, size: number): Promise<boolean> {
  if (end === 0) return true;
  if (end > size) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, end - 1);
  return bytesRead === 1 && buffer[0] === 0x0a;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function setMtime(path: string, mtime: number): Promise<void> {
  await utimes(path, new Date(mtime), new Date(mtime));
}
