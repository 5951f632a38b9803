import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { spellingsOf } from "./windows-paths.ts";

/** Longest key without a hash, in UTF-16 units. */
export const maxKeyLength = 200;

/**
 * Computes the project key of a path as it is: no look at the disk, so symlinks and relative parts stay.
 *
 * Each UTF-16 unit but ASCII letters and digits becomes a hyphen; a result above 200 units is cut there and gets a hyphen and a hash of
 * the path. Keys are lossy: `/a/b` and `/a-b` have the same.
 *
 * @see contracts/transcripts.md, "Project keys"; verified against CLI 2.1.328
 */
export function projectKeyForPath(path: string): string {
  const plain = hyphenate(path);
  return plain.length <= maxKeyLength ? plain : `${plain.slice(0, maxKeyLength)}-${hashOf(path)}`;
}

/**
 * Computes the name of the folder in `projects/` where the CLI keeps the sessions of a working directory.
 *
 * The directory is resolved through symlinks if it exists, else made absolute only. A CLI whose environment has both `CLAUDE_CONFIG_DIR`
 * and a valid `CLAUDE_CODE_PROJECT_DIR_NAME` uses that name for every directory, and so does this.
 *
 * @param directory Default: the working directory of this process.
 * @param options.configDir Stands for `CLAUDE_CONFIG_DIR`.
 * @example
 * projectKeyForDirectory("/home/user/my.app"); // "-home-user-my-app"
 */
export function projectKeyForDirectory(
  directory: string = process.cwd(),
  options: { readonly configDir?: string | undefined } = {},
): string {
  return projectKeyOverride(options.configDir) ?? projectKeyForPath(realFolder(directory));
}

/** The key that the environment sets for all folders, if it does. */
export function projectKeyOverride(configDir?: string): string | undefined {
  if (!configDir && !process.env["CLAUDE_CONFIG_DIR"]) return undefined;
  const name = process.env["CLAUDE_CODE_PROJECT_DIR_NAME"] ?? "";
  const isReserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i.test(name);
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) && !isReserved ? name : undefined;
}

/** All paths by which the CLI may know a folder; {@link realFolder} is the first, and but for mapped drives of Windows the only one. */
export function knownFolders(directory: string): string[] {
  return spellingsOf(resolve(directory), realFolder(directory));
}

/** A folder as the CLI knows it: absolute, without symlinks as far as it exists. */
export function realFolder(directory: string): string {
  const absolute = resolve(directory);
  let real = absolute;
  try {
    real = realpathSync.native(absolute);
  } catch {
    // A folder that is gone still has its sessions, under the name it was given.
  }
  // On Linux both spellings are folders of their own.
  return process.platform === "darwin" ? real.normalize("NFC") : real;
}

/** The first step of a key, which is all of it for a short path. */
export function hyphenate(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

function hashOf(path: string): string {
  let hash = 0;
  for (let index = 0; index < path.length; index++) hash = (Math.imul(hash, 31) + path.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}
