import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isMissing, TranscriptAccessError } from "./errors.ts";

/**
 * Appends an entry to a transcript that is there and not empty.
 *
 * Never creates a file: one that was deleted meanwhile must not come back with nothing but a title. A last line that a crash tore is ended
 * first, so that it does not swallow the entry. All of the entry is written by one call where the system takes it, since the CLI may be
 * appending too.
 *
 * @returns False where there is no such file, or nothing in it.
 */
export async function appendEntry(path: string, entry: Readonly<Record<string, unknown>>): Promise<boolean> {
  try {
    const file = await open(path, constants.O_RDWR | constants.O_APPEND);
    try {
      const { size } = await file.stat();
      if (size === 0) return false;
      const last = Buffer.alloc(1);
      await file.read(last, 0, 1, size - 1);
      const line = `${JSON.stringify(entry)}\n`;
      // Loops until all is written.
      await file.appendFile(last[0] === 0x0a ? line : `\n${line}`);
      return true;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return false;
    throw new TranscriptAccessError("write", path, error);
  }
}
