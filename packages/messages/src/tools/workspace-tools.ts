import type { OpenString } from "../open.ts";

/** Goes to a worktree: a new one by name, or an old one by path. */
export interface EnterWorktreeInput {
  readonly name?: string;
  readonly path?: string;
}

/** The worktree. */
export interface EnterWorktreeOutput {
  readonly worktreePath: string;
  readonly worktreeBranch?: string;
  readonly message: string;
}

/** Leaves the worktree. */
export interface ExitWorktreeInput {
  readonly action: OpenString<"keep" | "remove">;
  readonly discard_changes?: boolean;
}

/** What became of the worktree. */
export interface ExitWorktreeOutput {
  readonly action: OpenString<"keep" | "remove">;
  readonly originalCwd: string;
  readonly worktreePath: string;
  readonly worktreeBranch?: string;
  readonly tmuxSessionName?: string;
  readonly discardedFiles?: number;
  readonly discardedCommits?: number;
  readonly restoredCwd?: string;
  readonly originalCwdMissing?: boolean;
  readonly message: string;
}

/** Runs a skill. */
export interface SkillInput {
  readonly skill: string;
  readonly args?: string;
}

/** Reports what a review found. */
export interface ReportFindingsInput {
  readonly level?: OpenString<"low" | "medium" | "high" | "xhigh" | "max">;
  readonly findings: ReviewFinding[];
}

/** What was reported. */
export interface ReportFindingsOutput extends ReportFindingsInput {
  readonly count: number;
}

/** A finding of a review. */
export interface ReviewFinding {
  readonly file: string;
  readonly line?: number;
  readonly summary: string;
  readonly short_summary?: string;
  readonly failure_scenario: string;
  readonly category?: string;
  readonly severity?: OpenString<"important" | "pre_existing" | "nit">;
  readonly verdict?: OpenString<"CONFIRMED" | "PLAUSIBLE">;
  readonly outcome?: OpenString<"fixed" | "skipped" | "no_change_needed">;
}
