import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readEnds } from "./ends.ts";
import { isMissing, TranscriptAccessError, type TranscriptProblem } from "./errors.ts";
import { recordedFolder } from "./fields.ts";
import { hyphenate, maxKeyLength, projectKeyForPath, projectKeyOverride, realFolder } from "./project-key.ts";
import { isSessionId } from "./session-id.ts";
import { comparable } from "./windows-paths.ts";

/**
 * The names of the project folders that may hold the sessions of a working directory, the likeliest first: the name that the environment
 * sets, the derived one, and for long paths those that older CLIs derived with another hash.
 */
export async function projectNames(
  projects: string,
  folder: string,
  configDir: string | undefined,
  report: (problem: TranscriptProblem) => void,
): Promise<string[]> {
  const derived = projectKeyForPath(folder);
  const override = projectKeyOverride(configDir);
  const names = override === undefined || override === derived ? [derived] : [override, derived];
  const plain = hyphenate(folder);
  if (plain.length <= maxKeyLength) return names;
  const prefix = comparable(derived.slice(0, maxKeyLength + 1));
  const known = new Set(names.map((name) => comparable(name)));
  for (const name of await listFolder(projects, report)) {
    const isOther = comparable(name).startsWith(prefix) && !known.has(comparable(name));
    if (isOther && (await holdsSessionOf(join(projects, name), plain, report))) names.push(name);
  }
  return names;
}

/** Names of a folder's entries; none where there is no such folder. */
async function listFolder(path: string, report: (problem: TranscriptProblem) => void): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (!isMissing(error)) report(new TranscriptAccessError("read", path, error));
    return [];
  }
}

/** The prefix alone is shared by all paths that begin alike, so only a recorded working directory proves a folder. */
async function holdsSessionOf(
  project: string,
  plain: string,
  report: (problem: TranscriptProblem) => void,
): Promise<boolean> {
  for (const name of await listFolder(project, report)) {
    if (!name.endsWith(".jsonl") || !isSessionId(name.slice(0, -6))) continue;
    const ends = await readEnds(join(project, name)).catch(reportTo(report));
    const recorded = ends && recordedFolder(ends);
    if (recorded !== undefined && comparable(hyphenate(recorded)) === comparable(plain)) return true;
  }
  return false;
}

/** For `catch`: what is a problem of a transcript is reported and gives nothing, all else is thrown on. */
export function reportTo(report: (problem: TranscriptProblem) => void): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof TranscriptAccessError)) throw error;
    report(error);
  };
}

/**
 * The worktrees of the git repository that holds a folder, as git names them; none where git fails in any way.
 *
 * Git reads the configuration of a repository that may be anyone's, so what could run programs is switched off.
 */
export async function gitWorktrees(folder: string): Promise<string[]> {
  const args = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "worktree", "list", "--porcelain"];
  // Listing takes milliseconds; 5 s is for a slow disk.
  const options = { cwd: folder, timeout: 5_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true };
  const output = await new Promise<string>((done) => {
    execFile("git", args, options, (error, stdout) => done(error === null ? stdout : ""));
  });
  return output
    .split("\n")
    .filter((line) => line.startsWith("worktree "))
    .map((line) => realFolder(resolve(line.slice("worktree ".length))));
}
