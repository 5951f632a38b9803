import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "./fs-errors.ts";

/**
 * When written data is forced to the disk. `always`: before an append is acknowledged, so that a power failure loses nothing that was
 * acknowledged. `never`: left to the system; the death of the process still loses nothing.
 */
export type FsyncPolicy = "always" | "never";

/** Replaces a file at once: readers see the old content or the new, whatever happens in between. */
export async function replaceFile(path: string, content: string | Buffer, fsync: FsyncPolicy): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeNewFile(draft, content, fsync);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  if (fsync === "always") await syncFolder(dirname(path));
}

/** Writes a file that must not be there yet. */
export async function writeNewFile(path: string, content: string | Buffer, fsync: FsyncPolicy): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await sync(file, fsync);
  } finally {
    await file.close();
  }
}

/** Forces the data of a file to the disk, if the policy says so. */
export async function sync(file: FileHandle, fsync: FsyncPolicy): Promise<void> {
  if (fsync === "always") await file.datasync();
}

/** Forces the names in a folder to the disk. Windows cannot, and needs it not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems know no sync of folders.
    if (!hasCode(error, "EINVAL", "ENOTSUP")) throw error;
  } finally {
    await folder.close();
  }
}
