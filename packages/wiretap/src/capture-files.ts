import { link, mkdir, readdir, rename, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CaptureFolderError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/** The number in the name of a file of a capture; `undefined` for another file. */
export function numberOfFile(name: string): number | undefined {
  const digits = /^(\d{4,15})\.json$/.exec(name)?.[1];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  // Another one with more zeros in front would be taken for the same.
  return fileOfNumber(number) === name ? number : undefined;
}

/** The name of the file with a number. */
export function fileOfNumber(number: number): string {
  return `${String(number).padStart(4, "0")}.json`;
}

/** Not by the option `recursive`: that never ends where a folder is there and takes none below it with ENOENT, as /proc. [Node 20.20] */
async function makeFolder(dir: string): Promise<void> {
  try {
    await makeOne(dir);
  } catch (error) {
    if (!isCode(error, "ENOENT") || dirname(dir) === dir) throw error;
    await makeFolder(dirname(dir));
    await makeOne(dir);
  }
}

async function makeOne(dir: string): Promise<void> {
  await mkdir(dir, { mode: 0o700 }).catch((error: unknown) => {
    // Whether it is a folder is seen when it is read.
    if (!isCode(error, "EEXIST")) throw error;
  });
}

/**
 * Writes exchanges to numbered files of a folder, one after the other.
 *
 * A file is there as a whole or not at all, and only its owner can read it. Numbers go on where the folder ends, also when several
 * processes write to it.
 */
export class CaptureFiles {
  readonly #dir: string;
  readonly #onError: (error: Error) => void;
  #next: number;
  #temporary = 0;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(dir: string, next: number, onError: (error: Error) => void) {
    this.#dir = dir;
    this.#next = next;
    this.#onError = onError;
  }

  /** @throws {@link CaptureFolderError} */
  static async open(dir: string, onError: (error: Error) => void): Promise<CaptureFiles> {
    try {
      // What is there keeps its permissions; the files are private all the same.
      await makeFolder(dir);
      const last = (await readdir(dir)).reduce((max, name) => Math.max(max, numberOfFile(name) ?? 0), 0);
      return new CaptureFiles(dir, last + 1, onError);
    } catch (error) {
      throw new CaptureFolderError(dir, "write", error);
    }
  }

  /** Writes a new file. Gives the function that replaces what is in it. */
  add(exchange: Exchange): (exchange: Exchange) => void {
    const path = this.#enqueue(() => this.#create(exchange));
    return (exchange) => void this.#enqueue(async () => this.#replace(await path, exchange));
  }

  /** Settles when everything was written. */
  async flush(): Promise<void> {
    await this.#last;
  }

  #enqueue<T>(write: () => Promise<T>): Promise<T | undefined> {
    const done = this.#last.then(write).catch((error: unknown) => {
      this.#onError(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    });
    this.#last = done;
    return done;
  }

  async #create(exchange: Exchange): Promise<string> {
    const temporary = await this.#writeTemporary(exchange);
    try {
      for (;;) {
        const path = join(this.#dir, fileOfNumber(this.#next++));
        try {
          // Unlike rename it fails where another process has taken the number.
          await link(temporary, path);
          return path;
        } catch (error) {
          if (!isCode(error, "EEXIST")) throw error;
        }
      }
    } finally {
      await unlink(temporary).catch(() => {});
    }
  }

  async #replace(path: string | undefined, exchange: Exchange): Promise<void> {
    // The first write has failed, and was told.
    if (path === undefined) return;
    const temporary = await this.#writeTemporary(exchange);
    await rename(temporary, path).catch(async (error: unknown) => {
      await unlink(temporary).catch(() => {});
      throw error;
    });
  }

  async #writeTemporary(exchange: Exchange): Promise<string> {
    const path = join(this.#dir, `.${process.pid}-${++this.#temporary}-${crypto.randomUUID()}.tmp`);
    try {
      await writeFile(path, `${JSON.stringify(exchange, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
      return path;
    } catch (error) {
      await unlink(path).catch(() => {});
      throw error;
    }
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
