/** What a scripted CLI does, step by step. Also the form of the JSON files that hold scripts; see {@link parseCliScript}. */
export interface CliScript {
  /** Done in order. Behind the last one the CLI exits with code 0. */
  readonly steps: readonly CliStep[];
}

/** Text, or a text repeated. */
export type ScriptText = string | { readonly $repeat: { readonly text: string; readonly count: number } };

/** A frame to write, with placeholders; see {@link CliStep}. */
export type FrameTemplate = Readonly<Record<string, unknown>>;

/**
 * Values that a frame must have, by dotted path; numbers in it index arrays. Strings may be placeholders. Objects are equal when their
 * JSON is.
 */
export type FrameMatch = Readonly<Record<string, unknown>>;

/**
 * One step of a {@link CliScript}.
 *
 * Input is read all the time, as the CLI does, and kept until a step takes it. Every string in a frame may hold placeholders:
 * `{{name.dotted.path}}` is a member of the frame that an earlier step kept under that name, and `{{name.dotted.path|text}}` falls
 * back to the text where there is no such member. A string that is nothing but a placeholder becomes the member itself, whatever
 * its type. An object `{ $repeat: { text, count } }` stands for a long string, `{ $literal: value }` for a value without placeholders.
 */
export type CliStep =
  /** Waits for the initialize request, keeps it under the name `init`, and answers it with this payload, by default `{}`. */
  | { readonly do: "init"; readonly response?: FrameTemplate }
  /**
   * Takes the first frame that matches from the input, waiting for it if need be, and keeps it under the name `as` (letters, digits,
   * `_` and `-`). Frames that do not match stay for later steps. Where the frame is not also as `expect` says, or the input ends
   * before one matched, the script fails: put into `match` what identifies the frame, into `expect` what a host may get wrong.
   */
  | { readonly do: "read"; readonly match: FrameMatch; readonly expect?: FrameMatch; readonly as?: string }
  /** Writes a frame, `$times` times at full speed (default 1). */
  | { readonly do: "write"; readonly frame: FrameTemplate; readonly $times?: number }
  /** Writes text to the output as it is; no newline is added. */
  | { readonly do: "text"; readonly text: ScriptText; readonly $times?: number }
  /** Writes a file that was handed over with the script (option `files`), in pieces of `size` bytes; 0, the default, is one piece. */
  | { readonly do: "file"; readonly path: string; readonly size?: number }
  /** Writes one frame in pieces of `size` bytes, cut anywhere, each flushed before the next. */
  | { readonly do: "chunked"; readonly frame: FrameTemplate; readonly size: number }
  /** Writes to the standard error. */
  | { readonly do: "stderr"; readonly text: ScriptText; readonly $times?: number }
  /** Does nothing for a while. */
  | { readonly do: "wait"; readonly ms: number }
  /**
   * Catches signals from now on: each is logged, and ends the CLI with `exitCode` where that is given, as SIGTERM does the real one
   * with 143. In memory, where there are no signals, nothing happens.
   */
  | { readonly do: "trap"; readonly signals: readonly string[]; readonly exitCode?: number }
  /** Waits until the host ends the input, at most `ms`; 0, the default, is without limit. */
  | { readonly do: "readEnd"; readonly ms?: number }
  /** Lets input come for a while, and logs what came in an event of the kind `"collected"`. */
  | { readonly do: "noInput"; readonly ms: number }
  /** Stops reading, so that the host runs into a full pipe. The next step that takes input starts it again. */
  | { readonly do: "pauseInput" }
  /**
   * Starts a grandchild that keeps the standard output and error open for a while. In memory, where there are no descriptors to
   * inherit, nothing happens.
   */
  | { readonly do: "orphan"; readonly ms: number }
  /** Closes the output and lives on. */
  | { readonly do: "endOutput" }
  /** Stays until killed, whatever happens to the input. A process ends after 10 minutes all the same. */
  | { readonly do: "hang" }
  /** Ends the CLI with a code, by default 0, or by a signal such as `"SIGKILL"`. */
  | { readonly do: "exit"; readonly code?: number; readonly signal?: string };
