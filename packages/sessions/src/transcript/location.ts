import type { SessionStore } from "../store/session-store.ts";
import type { TranscriptProblem } from "./errors.ts";

/** Where the CLI's own transcripts are looked for. */
export interface TranscriptLocation {
  /**
   * A working directory: its sessions, and those of the git worktrees of its repository. It need not exist any more. Default: all projects.
   */
  readonly dir?: string | undefined;
  /** Configuration folder of the CLI. Default `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. Empty counts as not given. */
  readonly configDir?: string | undefined;
  /**
   * Called with what could not be read, while reading goes on without it. Without it a file or folder that cannot be read fails the call,
   * and lines that are no entries are passed over.
   */
  readonly onProblem?: ((problem: TranscriptProblem) => void) | undefined;
}

/** Where a session is looked for: in the CLI's folder, or in a store. */
export interface SessionLocation extends TranscriptLocation {
  /**
   * Looks here instead of the CLI's folder, under the project key of `dir`, which then defaults to the working directory of this process.
   */
  readonly sessionStore?: SessionStore | undefined;
}
