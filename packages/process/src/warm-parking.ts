import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { guardUntilExit } from "./exit-guard.ts";
import { type Environment, variable } from "./variables.ts";

/** A folder in which a CLI waits that belongs to no session yet. */
export interface ParkingFolder {
  readonly path: string;
  /** Removes it. Idempotent, never throws. */
  release(): void;
}

/**
 * Creates a folder of its own for a CLI that waits for its session: `spares/spare-XXXXXX` under the CLI's config folder, which is
 * `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. Only this user can look into it. It is also removed when the host exits. The
 * place is that of the official SDK 0.3.328.
 *
 * @param env The environment of the CLI.
 * @throws the error of the file system.
 */
export function createParkingFolder(env: Environment = process.env): ParkingFolder {
  const home = variable(env, process.platform === "win32" ? "USERPROFILE" : "HOME", process.platform) || homedir();
  const spares = join(variable(env, "CLAUDE_CONFIG_DIR", process.platform) || join(home, ".claude"), "spares");
  mkdirSync(spares, { recursive: true, mode: 0o700 });
  // mkdtemp makes the folder with mode 0700, whatever the umask.
  const path = mkdtempSync(join(spares, "spare-"));
  const remove = (): void => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Nobody waits for it, and the folder is private.
    }
  };
  const releaseGuard = guardUntilExit(remove);
  return {
    path,
    release() {
      releaseGuard();
      remove();
    },
  };
}
