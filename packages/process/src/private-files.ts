import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardUntilExit } from "./exit-guard.ts";
import type { Launch } from "./launch.ts";

/** A launch whose files are there. */
export interface PreparedLaunch {
  readonly launch: Launch;
  /** Removes the files. Never throws. */
  release(): void;
}

/**
 * Writes the files of a launch, which only this user can read (mode 0600, in a new folder of mode 0700 under the system's temporary
 * folder), and puts their paths into the arguments. They are removed by `release`, or when the host exits. A host that is killed by a signal
 * leaves them behind.
 *
 * @throws the error of the file system; nothing is left then.
 */
export function prepareFiles(launch: Launch): PreparedLaunch {
  const { files = [] } = launch;
  if (files.length === 0) return { launch, release: () => {} };
  // mkdtemp makes the folder with mode 0700, whatever the umask.
  const folder = mkdtempSync(join(tmpdir(), "reins-"));
  const releaseGuard = guardUntilExit(remove);
  try {
    const args = [...launch.args];
    for (const [i, { argument, content }] of files.entries()) {
      const path = join(folder, String(i));
      writeFileSync(path, content, { mode: 0o600, flag: "wx" });
      args[args.indexOf(argument)] = `${argument}${path}`;
    }
    return { launch: { ...launch, args, files: [] }, release };
  } catch (error) {
    release();
    throw error;
  }

  function release(): void {
    releaseGuard();
    remove();
  }

  function remove(): void {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Nobody waits for it, and the folder is private.
    }
  }
}
