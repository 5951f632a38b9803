import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "./fs-errors.ts";

/**
 * Makes a private folder, and those above it that are not there.
 *
 * Not by the option `recursive`: that never ends where a folder is there and takes none below it with ENOENT, as /proc. [Node 20.20]
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    // A file in its place is found by the next call.
    if (!hasCode(error, "EEXIST")) throw error;
  });
}
