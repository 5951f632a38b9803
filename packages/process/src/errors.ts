import { ReinsError } from "@reins/streamjson";

/** An option has a value that cannot reach the CLI. Nothing was started. */
export class OptionError extends ReinsError {
  readonly code = "REINS_OPTION_INVALID" as const;
  /** Name of the option, such as `"maxBudgetUsd"`. */
  readonly option: string;

  /** @param problem The end of the sentence that begins with the name of the option. */
  constructor(option: string, problem: string, cause?: unknown) {
    super(`The option ${option} ${problem}`, cause === undefined ? undefined : { cause });
    this.option = option;
  }

  override get name(): string {
    return "OptionError";
  }
}

/** An option is too long for the command line or the environment of this platform. Nothing was started. */
export class OptionTooLongError extends ReinsError {
  readonly code = "REINS_OPTION_TOO_LONG" as const;
  /** Name of the option, such as `"allowedTools"`; for a variable of the environment `"env.NAME"`. */
  readonly option: string;
  /** What it would take, in bytes (Windows: in UTF-16 units). */
  readonly size: number;
  /** What there is room for, in the same unit: for this option alone, or (Windows, macOS) for everything together. */
  readonly limit: number;
  /** What to do about it, as a sentence. */
  readonly remedy: string;

  constructor(details: { option: string; size: number; limit: number; unit?: string; remedy: string }) {
    const { option, size, limit, unit = "bytes", remedy } = details;
    super(`The option ${option} takes ${size} ${unit}, and this platform allows ${limit}. ${remedy}`);
    this.option = option;
    this.size = size;
    this.limit = limit;
    this.remedy = remedy;
  }

  override get name(): string {
    return "OptionTooLongError";
  }
}

/** The CLI runs, and answered that it did not take an option that it was given with the initialize request. */
export class OptionNotAppliedError extends ReinsError {
  readonly code = "REINS_OPTION_NOT_APPLIED" as const;
  /** Name of the option, such as `"settings"`. */
  readonly option: string;

  constructor(option: string) {
    super(
      `The CLI did not apply the option ${option}, so no prompt was sent. It is too old for it, or was started without the arguments of ` +
        'buildLaunch; update it, or set the delivery of the option to "argv".',
    );
    this.option = option;
  }

  override get name(): string {
    return "OptionNotAppliedError";
  }
}

/** A place where the CLI was looked for, and why it was not taken. */
export interface PlaceTried {
  /** What was looked at: a path, or a package, or `claude on PATH`. */
  readonly place: string;
  /**
   * - `"missing"`: nothing is there.
   * - `"not-a-file"`: a directory or something else.
   * - `"not-executable"`: a file that this user may not run.
   * - `"npm-stub"`: the placeholder of the npm package, whose install script did not run.
   * - `"other-libc"`: a build for another C library.
   * - `"shim"`: a script of the Windows shell that names no program which is there.
   * - `"in-archive"`: inside of an `.asar` archive, and not beside it, where the system could start it.
   */
  readonly outcome: "missing" | "not-a-file" | "not-executable" | "npm-stub" | "other-libc" | "shim" | "in-archive";
}

/** There is no CLI to start. */
export class CliNotFoundError extends ReinsError {
  readonly code = "REINS_CLI_NOT_FOUND" as const;
  /** The places that were looked at, in order. */
  readonly tried: readonly PlaceTried[];

  constructor(tried: readonly PlaceTried[], cause?: unknown) {
    const places = tried.map(({ place, outcome }) => `${place} (${outcomes[outcome]})`).join(", ");
    super(
      `The Claude Code CLI was not found. Install @anthropic-ai/claude-code, or set pathToClaudeCodeExecutable. Looked at: ${places}.`,
      cause === undefined ? undefined : { cause },
    );
    this.tried = tried;
  }

  override get name(): string {
    return "CliNotFoundError";
  }
}

const outcomes: Record<PlaceTried["outcome"], string> = {
  missing: "not there",
  "not-a-file": "not a file",
  "not-executable": "not executable",
  "npm-stub": "only the placeholder of the npm package, reinstall it with install scripts allowed",
  "other-libc": "built for another C library",
  shim: "a script that only a shell could start, and that names no program which is there; name the claude.exe",
  "in-archive": "inside of an archive, from which nothing can be started; have it unpacked (asarUnpack)",
};

/**
 * Why a CLI that is there could not be started.
 * - `"cwd-missing"`, `"cwd-not-a-directory"`, `"cwd-not-accessible"`: the working directory.
 * - `"not-executable"`: no permission to run the file, or it is a directory.
 * - `"wrong-libc"`: the loader that the binary names is not on this system: a musl build on a glibc system, or the reverse.
 * - `"wrong-architecture"`: a binary for another processor.
 * - `"interpreter-missing"`: what should run the script (`node`, `bun`, its `#!` line) is not there, or not on the child's PATH.
 * - `"unknown-flag"`: it started, and ended because it does not know a flag, so it is too old for an option. `path` is the CLI.
 * - `"arguments-too-long"`: arguments and environment together pass a limit of the system.
 * - `"other"`: anything else, such as no memory or no descriptors; see `cause`.
 */
export type LaunchFailure =
  | "cwd-missing"
  | "cwd-not-a-directory"
  | "cwd-not-accessible"
  | "not-executable"
  | "wrong-libc"
  | "wrong-architecture"
  | "interpreter-missing"
  | "unknown-flag"
  | "arguments-too-long"
  | "other";

/** The CLI is there and could not be started. `cause` has the error of the system, where there was one. */
export class LaunchError extends ReinsError {
  readonly code = "REINS_LAUNCH_FAILED" as const;
  readonly reason: LaunchFailure;
  /** What the failure is about: the working directory, the CLI, or the interpreter. */
  readonly path: string;

  constructor(reason: LaunchFailure, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.path = path;
  }

  override get name(): string {
    return "LaunchError";
  }
}

/** The process of the CLI ended with an exit code other than 0, or by a signal, and not because it was closed. */
export class ProcessError extends ReinsError {
  readonly code = "REINS_PROCESS_FAILED" as const;
  /** The exit code; `null` when a signal killed the process. */
  readonly exitCode: number | null;
  /**
   * The signal behind the end, or `null`. Also set where the CLI caught the signal and exited with 128 and its number, as it does for
   * SIGTERM (143) and SIGHUP (129); `exitCode` is set too then. Verified against CLI 2.1.328.
   */
  readonly signal: string | null;
  /** The last part of the standard error, without secrets. */
  readonly stderrTail: string;
  /** How far it came: `"start"` when it wrote nothing on its output, so that it was not even initialized; else `"session"`. */
  readonly step: "start" | "session";

  constructor(
    exitCode: number | null,
    signal: string | null,
    stderrTail: string,
    step: "start" | "session" = "session",
  ) {
    const caught = exitCode === null ? undefined : signalOfExitCode[exitCode];
    // Published programs look for these words.
    const what =
      exitCode === null
        ? `Claude Code process terminated by signal ${signal}`
        : `Claude Code process exited with code ${exitCode}${caught === undefined ? "" : ` (${caught})`}`;
    const said = lastWords(stderrTail);
    super(said === "" ? `${what}, and said nothing on standard error.` : `${what}. stderr: ${said}`);
    this.exitCode = exitCode;
    this.signal = signal ?? caught ?? null;
    this.stderrTail = stderrTail;
    this.step = step;
  }

  /** The same as `stderrTail`, under the name that published programs look for. */
  get stderr(): string {
    return this.stderrTail;
  }

  override get name(): string {
    return "ProcessError";
  }
}

const signalOfExitCode: Record<number, string> = { 129: "SIGHUP", 130: "SIGINT", 137: "SIGKILL", 143: "SIGTERM" };

/** The whole tail is a field; the message has as much of its end as one can still read in a log. */
function lastWords(tail: string): string {
  const limit = 1000;
  const text = tail.trim();
  if (text.length <= limit) return text;
  const end = text.slice(-limit);
  return end.slice(end.indexOf("\n") + 1).trim();
}
