import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { projectsFolder } from "./config-folder.ts";
import { isMissing, TranscriptAccessError, type TranscriptProblem } from "./errors.ts";
import type { TranscriptLocation } from "./location.ts";
import { gitWorktrees, projectNames } from "./project-folders.ts";
import { knownFolders, realFolder } from "./project-key.ts";
import { comparable } from "./windows-paths.ts";

/** A transcript that was found. */
export interface FoundTranscript {
  readonly path: string;
  /** The project folder that it lies in. */
  readonly project: string;
  /** The working directory that led there, if one was given. */
  readonly folder: string | undefined;
}

/** What a call does with a problem: tell the caller if it can, else fail. */
export function problemHandler(location: TranscriptLocation): (problem: TranscriptProblem) => void {
  return (
    location.onProblem ??
    ((problem) => {
      // A line that a crash tore is no reason to fail: the CLI passes over it too.
      if (problem instanceof TranscriptAccessError) throw problem;
    })
  );
}

/**
 * Looks for the transcripts of a session, the likeliest place first, as far as it is asked: the caller takes the first that it can use.
 *
 * An empty file means that the session is somewhere else.
 */
export async function* findTranscripts(
  sessionId: string,
  location: TranscriptLocation,
): AsyncGenerator<FoundTranscript, undefined> {
  const report = problemHandler(location);
  for await (const place of placesOf(sessionId, location)) if (await isTranscript(place.path, report)) yield place;
}

/** Where a transcript may be, for a caller that looks itself. */
export async function* placesOf(
  sessionId: string,
  location: TranscriptLocation,
): AsyncGenerator<FoundTranscript, undefined> {
  const report = problemHandler(location);
  const projects = projectsFolder(location.configDir);
  const placeIn = (project: string, folder: string | undefined): FoundTranscript => ({
    path: join(project, `${sessionId}.jsonl`),
    project,
    folder,
  });
  if (location.dir === undefined) {
    for (const project of await projectFolders(projects, report)) yield placeIn(project, undefined);
    return;
  }
  const seen = new Set<string>();
  for await (const folder of foldersOf(location.dir)) {
    for (const name of await projectNames(projects, folder, location.configDir, report)) {
      if (!seen.has(comparable(name))) yield placeIn(join(projects, name), folder);
      seen.add(comparable(name));
    }
  }
}

/** The first of {@link findTranscripts}. */
export async function findTranscript(
  sessionId: string,
  location: TranscriptLocation,
): Promise<FoundTranscript | undefined> {
  for await (const found of findTranscripts(sessionId, location)) return found;
  return undefined;
}

/** The folder itself, and then the other worktrees of its repository. Git is asked only when the search gets there. */
async function* foldersOf(directory: string): AsyncGenerator<string, undefined> {
  yield* knownFolders(directory);
  const folder = realFolder(directory);
  for (const worktree of await gitWorktrees(folder)) if (worktree !== folder) yield worktree;
}

async function projectFolders(projects: string, report: (problem: TranscriptProblem) => void): Promise<string[]> {
  try {
    const entries = await readdir(projects, { withFileTypes: true });
    // A linked project folder counts when a session is looked for, but plain files need no look.
    return entries.filter((entry) => !entry.isFile()).map((entry) => join(projects, entry.name));
  } catch (error) {
    if (!isMissing(error)) report(new TranscriptAccessError("read", projects, error));
    return [];
  }
}

async function isTranscript(path: string, report: (problem: TranscriptProblem) => void): Promise<boolean> {
  try {
    const status = await stat(path);
    return status.isFile() && status.size > 0;
  } catch (error) {
    if (!isMissing(error)) report(new TranscriptAccessError("read", path, error));
    return false;
  }
}
