import type { OpenString } from "../open.ts";

/** Finds files by name. */
export interface GlobInput {
  readonly pattern: string;
  /** Directory. Default: the working directory. */
  readonly path?: string;
}

/** The files that were found, at most 100. */
export interface GlobOutput {
  readonly durationMs: number;
  readonly numFiles: number;
  readonly filenames: string[];
  readonly truncated: boolean;
  readonly totalMatches?: number;
  readonly countIsComplete?: boolean;
  readonly timedOut?: boolean;
}

/** Finds text in files, with ripgrep. */
export interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  /** Kind of file, as ripgrep names it. */
  readonly type?: string;
  readonly output_mode?: GrepMode;
  readonly "-A"?: number;
  readonly "-B"?: number;
  readonly "-C"?: number;
  readonly context?: number;
  readonly "-n"?: boolean;
  readonly "-i"?: boolean;
  readonly "-o"?: boolean;
  readonly head_limit?: number;
  readonly offset?: number;
  readonly multiline?: boolean;
}

/** What was found. */
export interface GrepOutput {
  readonly mode?: GrepMode;
  /** 0 in the mode `content`. */
  readonly numFiles: number;
  readonly filenames: string[];
  readonly content?: string;
  readonly numLines?: number;
  readonly numMatches?: number;
  readonly totalFiles?: number;
  readonly totalLines?: number;
  readonly appliedLimit?: number;
  readonly appliedOffset?: number;
  readonly timedOut?: boolean;
}

/** What a search in files gives. */
export type GrepMode = OpenString<"content" | "files_with_matches" | "count">;

/** Finds tools whose schema the model was not shown yet. */
export interface ToolSearchInput {
  /** Words, or `select:` and names. */
  readonly query: string;
  readonly max_results?: number;
}

/** The tools that were found. */
export interface ToolSearchOutput {
  readonly matches: string[];
  readonly query: string;
  readonly total_deferred_tools: number;
}
