import { access, constants } from "node:fs/promises";
import { type ClaudeLocation, locateClaude } from "@reins/process";
import type { Finding } from "./check.ts";

/** The program of Claude Code, and what to say of it. */
export interface FoundProgram {
  /** Absent when there is none to be run. */
  readonly location?: ClaudeLocation;
  readonly finding: Finding;
}

/** How a place of {@link ClaudeLocation.foundBy} is called. */
const places: Readonly<Record<ClaudeLocation["foundBy"], string>> = {
  option: "--claude",
  environment: "the environment",
  "agent-sdk-package": "the package of the Agent SDK",
  "cli-package": "the package @anthropic-ai/claude-code",
  path: "PATH",
  "known-place": "a place where installers put it",
};

/**
 * Finds the program that sessions would start.
 *
 * @throws CliNotFoundError when there is none; it lists where it was looked for.
 */
export async function findProgram(path: string | undefined): Promise<FoundProgram> {
  const location = locateClaude({ path });
  // A path that was given is taken as it is.
  const problem = await access(location.path, constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? "is not there" : "cannot be executed"),
  );
  if (problem !== undefined) {
    return { finding: { status: "failed", message: `${location.path} ${problem}.`, next: "check the path." } };
  }
  return { location, finding: { status: "ok", message: `${location.path}, found by ${places[location.foundBy]}` } };
}
