import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { SessionInfo } from "@reins/messages";
import { projectsFolder } from "./config-folder.ts";
import { readEnds, type TranscriptEnds } from "./ends.ts";
import { isMissing, TranscriptAccessError, type TranscriptProblem } from "./errors.ts";
import { firstRaw, lastField } from "./fields.ts";
import { problemHandler } from "./find-transcript.ts";
import { localSessionInfo } from "./get-session-info.ts";
import { inParallel } from "./in-parallel.ts";
import type { SessionLocation } from "./location.ts";
import { continuedInto, isProgrammatic } from "./omission.ts";
import { gitWorktrees, projectNames, reportTo } from "./project-folders.ts";
import { knownFolders, projectKeyForPath, realFolder } from "./project-key.ts";
import { isSessionId } from "./session-id.ts";
import { listStoredSessions } from "./stored-list.ts";
import { comparable } from "./windows-paths.ts";

/** Options of {@link listSessions}. */
export interface ListSessionsOptions extends SessionLocation {
  /** Longest list. Default, and for 0: no limit. */
  readonly limit?: number | undefined;
  /** How many of the newest are left out. Default 0. */
  readonly offset?: number | undefined;
  /** With `dir`, whether the sessions of the other git worktrees of its repository count. Default true. No effect on a store. */
  readonly includeWorktrees?: boolean | undefined;
  /** Whether sessions that no person held at a terminal count: those of SDKs, of `--print`, of daemons. Default true. No effect on a store. */
  readonly includeProgrammatic?: boolean | undefined;
}

/**
 * Lists sessions, the newest first.
 *
 * Reads 128 KiB of a transcript at most, 16 files at a time; with `limit` only as many transcripts as fill the page. Left out are subagents'
 * transcripts, sessions with nothing to show, those that go on under another id, and those of another working directory whose project key
 * is the same.
 *
 * @throws {@link TranscriptAccessError} for the first file or folder that cannot be read; with `onProblem` it is reported instead and the list
 * has the rest.
 * @throws {@link SessionStoreMethodError} when the store cannot list.
 * @example
 * for (const { sessionId, summary } of await listSessions({ dir: process.cwd(), limit: 20 })) console.log(sessionId, summary);
 * @see contracts/transcripts.md, "What a list shows"; gives what the Agent SDK 0.3.328 gives
 */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SessionInfo[]> {
  if (options.sessionStore !== undefined) return await listStoredSessions(options.sessionStore, options);
  const report = problemHandler(options);
  const scope = await scopeOf(options, report);
  const files = (await inParallel(scope.projects, (project) => transcriptsIn(project, report))).flat();
  const limit = options.limit !== undefined && options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const offset = Math.max(options.offset ?? 0, 0);
  const read = (file: ListedFile) => infoOf(file, scope, options.includeProgrammatic ?? true, report);
  if (limit === Number.POSITIVE_INFINITY && offset === 0) {
    return newestFirst((await inParallel(files, read)).filter((info) => info !== undefined));
  }
  return await readPage(files, read, offset, limit, report);
}

/** Paths of all transcripts in a scope, the newest first, whether or not a list would show them. */
export async function listTranscripts(
  options: Pick<ListSessionsOptions, "dir" | "configDir" | "includeWorktrees" | "onProblem">,
): Promise<string[]> {
  const report = problemHandler(options);
  const { projects } = await scopeOf(options, report);
  const files = (await inParallel(projects, (project) => transcriptsIn(project, report))).flat();
  return (await dated(files, report)).map(({ path }) => path);
}

/** A transcript as its folder lists it. */
interface ListedFile {
  readonly sessionId: string;
  readonly path: string;
  readonly project: Project;
  /** Whether a folder of the session lies beside it. */
  readonly hasFolder: boolean;
}

interface Project {
  readonly path: string;
  /** The working directory that was asked for and led here. */
  readonly folder: string | undefined;
}

interface Scope {
  readonly projects: readonly Project[];
  /** The folders whose sessions are asked for; empty for all. */
  readonly folders: readonly string[];
}

async function scopeOf(options: ListSessionsOptions, report: (problem: TranscriptProblem) => void): Promise<Scope> {
  const root = projectsFolder(options.configDir);
  if (options.dir === undefined) {
    // A linked project folder is reached by `dir` only; here its sessions would be listed twice.
    const entries = await readFolder(root, report);
    const projects = entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name));
    return { projects: projects.map((path) => ({ path, folder: undefined })), folders: [] };
  }
  const asked = knownFolders(options.dir);
  const worktrees = (options.includeWorktrees ?? true) ? await gitWorktrees(realFolder(options.dir)) : [];
  const folders = worktrees.length > 1 ? [...asked, ...worktrees] : asked;
  const projects = new Map<string, Project>();
  for (const folder of new Set(folders)) {
    for (const name of await projectNames(root, folder, options.configDir, report)) {
      if (!projects.has(comparable(name))) projects.set(comparable(name), { path: join(root, name), folder });
    }
  }
  return { projects: [...projects.values()], folders };
}

async function transcriptsIn(project: Project, report: (problem: TranscriptProblem) => void): Promise<ListedFile[]> {
  const entries = await readFolder(project.path, report);
  const folders = new Set(entries.filter((entry) => !entry.isFile()).map((entry) => entry.name));
  return entries.flatMap((entry) => {
    const sessionId = entry.name.slice(0, -6);
    if (!entry.name.endsWith(".jsonl") || !isSessionId(sessionId)) return [];
    // Both parts are normal, which `join` would find out again for each of thousands.
    return [{ sessionId, path: project.path + sep + entry.name, project, hasFolder: folders.has(sessionId) }];
  });
}

async function readFolder(path: string, report: (problem: TranscriptProblem) => void) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (!isMissing(error)) report(new TranscriptAccessError("read", path, error));
    return [];
  }
}

async function infoOf(
  { sessionId, path, project, hasFolder }: ListedFile,
  scope: Scope,
  includeProgrammatic: boolean,
  report: (problem: TranscriptProblem) => void,
): Promise<SessionInfo | undefined> {
  const ends = await readEnds(path).catch(reportTo(report));
  if (ends === undefined || (!includeProgrammatic && isProgrammatic(ends))) return undefined;
  const info = await localSessionInfo(
    sessionId,
    ends,
    { project: project.path, folder: project.folder },
    report,
    hasFolder,
  );
  if (info === undefined) return undefined;
  if (await continuedInto(ends, project.path)) return undefined;
  if (project.folder !== undefined && (await isElsewhere(ends, project.folder, scope.folders))) return undefined;
  return info;
}

/**
 * Tells whether a session belongs to another working directory, whose key happens to be the same. It does when that directory exists and is
 * none of those that were asked for.
 */
async function isElsewhere(ends: TranscriptEnds, folder: string, folders: readonly string[]): Promise<boolean> {
  const recorded = lastField(ends.tail, "relocated", "relocatedCwd") || firstRaw(ends.head, "cwd");
  if (recorded === undefined || recorded === folder) return false;
  if (projectKeyForPath(recorded) !== projectKeyForPath(folder)) return false;
  if (folders.some((inside) => recorded === inside || recorded.startsWith(inside + sep))) return false;
  try {
    return (await realpath(recorded)) !== folder;
  } catch {
    // It is gone, so nothing else lays claim to the session.
    return false;
  }
}

/** Sorts by time first and reads from the newest on, until the page is full. */
async function readPage(
  files: readonly ListedFile[],
  read: (file: ListedFile) => Promise<SessionInfo | undefined>,
  offset: number,
  limit: number,
  report: (problem: TranscriptProblem) => void,
): Promise<SessionInfo[]> {
  const newest = await dated(files, report);
  const infos = new Map<string, SessionInfo>();
  // 32 at a time: a page is rarely longer, and what lies behind it is not read.
  for (let start = 0; start < newest.length && infos.size < offset + limit; start += 32) {
    for (const info of await inParallel(newest.slice(start, start + 32), read)) {
      if (info !== undefined && !infos.has(info.sessionId)) infos.set(info.sessionId, info);
    }
  }
  return newestFirst([...infos.values()]).slice(offset, offset + limit);
}

/** Those of the files that have something in them, the newest first. */
async function dated(
  files: readonly ListedFile[],
  report: (problem: TranscriptProblem) => void,
): Promise<readonly ListedFile[]> {
  const all = await inParallel(files, async (file) => ({ ...file, lastModified: await modifiedMs(file.path, report) }));
  return all.filter((file) => file.lastModified !== undefined).sort(byAge);
}

async function modifiedMs(path: string, report: (problem: TranscriptProblem) => void): Promise<number | undefined> {
  try {
    const status = await stat(path);
    return status.isFile() && status.size > 0 ? status.mtime.getTime() : undefined;
  } catch (error) {
    if (!isMissing(error)) report(new TranscriptAccessError("read", path, error));
    return undefined;
  }
}

/** Sorts a list, and drops the older copies of a session that lies in several project folders. */
function newestFirst(infos: readonly SessionInfo[]): SessionInfo[] {
  const seen = new Set<string>();
  return infos.toSorted(byAge).filter(({ sessionId }) => !seen.has(sessionId) && seen.add(sessionId));
}

function byAge(
  left: { readonly sessionId: string; readonly lastModified?: number | undefined },
  right: { readonly sessionId: string; readonly lastModified?: number | undefined },
): number {
  const age = (right.lastModified ?? 0) - (left.lastModified ?? 0);
  // By code unit: the order of a list must not depend on the locale.
  return age !== 0 ? age : left.sessionId < right.sessionId ? 1 : left.sessionId > right.sessionId ? -1 : 0;
}
