import { existsSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Removes a folder with everything in it: read-only files and folders too, and what a process that is just ending still writes.
 *
 * @param timeoutMs How long to try again.
 * @returns `undefined` when nothing is left, else the last error.
 */
export async function removeTree(folder: string, timeoutMs: number): Promise<unknown> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      await rm(folder, { recursive: true, force: true });
      if (!existsSync(folder)) return undefined;
      failure = new Error("It was created again while it was being removed.");
    } catch (error) {
      failure = error;
    }
    if (Date.now() >= deadline) return failure;
    await makeWritable(folder);
    await delay(20);
  }
}

/** Only folders matter: removing a file needs rights on the folder that it is in. */
async function makeWritable(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
    }
  } catch {
    // Gone meanwhile, or not ours: the next try tells.
  }
}
