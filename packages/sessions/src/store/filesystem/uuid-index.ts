import { open, readFile } from "node:fs/promises";
import { isMissing } from "./fs-errors.ts";

/**
 * The uuids of a transcript, in a file beside it, so that a store knows them without reading the transcript.
 *
 * Each line says which uuids an append added and where the transcript ended then: `{"end":1234,"uuids":["..."]}`. The file is derived:
 * what it lacks is read from the transcript behind the last `end`, so it may be behind, and it is never ahead.
 */
export class UuidIndex {
  readonly #path: string;
  #size = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads the file up to its last whole line.
   *
   * @returns The uuids, and the end of the part of the transcript that they cover; nothing covered when the file is not there.
   */
  async load(): Promise<{ uuids: Set<string>; end: number }> {
    const uuids = new Set<string>();
    let end = 0;
    this.#size = 0;
    const content = await readFile(this.#path).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    for (let newline = content.indexOf(0x0a); newline !== -1; newline = content.indexOf(0x0a, this.#size)) {
      const record = parseRecord(content.toString("utf8", this.#size, newline));
      if (record === undefined || record.end < end) break;
      for (const uuid of record.uuids) uuids.add(uuid);
      end = record.end;
      this.#size = newline + 1;
    }
    return { uuids, end };
  }

  /** Writes what an append added, over what a crash left of a line. */
  async add(uuids: readonly string[], end: number): Promise<void> {
    const line = Buffer.from(`${JSON.stringify({ end, uuids })}\n`);
    const file = await openForUpdate(this.#path);
    try {
      await file.truncate(this.#size);
      await writeAt(file, line, this.#size);
    } finally {
      await file.close();
    }
    this.#size += line.length;
  }

  /** Forgets everything, when the file does not fit the transcript. */
  async reset(): Promise<void> {
    const file = await openForUpdate(this.#path);
    try {
      await file.truncate(0);
    } finally {
      await file.close();
    }
    this.#size = 0;
  }
}

type FileHandle = Awaited<ReturnType<typeof open>>;

async function openForUpdate(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r+");
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return open(path, "w", 0o600);
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

function parseRecord(line: string): { end: number; uuids: string[] } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("end" in value) || !("uuids" in value)) return undefined;
    const { end, uuids } = value;
    if (!Number.isSafeInteger(end) || !Array.isArray(uuids)) return undefined;
    return { end: Number(end), uuids: uuids.map(String) };
  } catch {
    return undefined;
  }
}
