import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, unlink } from "node:fs/promises";
import type { SessionStoreEntry } from "../store/session-store.ts";
import { appendEntry } from "./append-lines.ts";
import { cleanTag } from "./clean-tag.ts";
import { projectsFolder } from "./config-folder.ts";
import { isMissing, SessionNotFoundError, TranscriptAccessError } from "./errors.ts";
import { findTranscripts } from "./find-transcript.ts";
import type { SessionLocation } from "./location.ts";
import { isSessionId } from "./session-id.ts";
import { sessionFolder } from "./side-files.ts";
import { storedKey } from "./stored-info.ts";

/**
 * Gives a session a title, by an entry at the end of its transcript. A running CLI keeps it.
 *
 * In a store the entry is appended whether or not there is such a session.
 *
 * @param title Trimmed.
 * @throws TypeError for what is no session id, or a title of white space.
 * @throws {@link SessionNotFoundError}
 */
export async function renameSession(sessionId: string, title: string, options: SessionLocation = {}): Promise<void> {
  checkSessionId(sessionId);
  const customTitle = title.trim();
  if (customTitle === "") throw new TypeError("title must be non-empty");
  await addEntry({ type: "custom-title", customTitle, sessionId }, sessionId, options);
}

/**
 * Gives a session a tag, or takes it away, by an entry at the end of its transcript.
 *
 * @param tag Cleaned unless it is ASCII: unified by NFKC, without invisible, private and unassigned characters; trimmed. `null` clears it.
 * @throws TypeError for what is no session id, or a tag of which nothing is left.
 * @throws {@link SessionNotFoundError}
 */
export async function tagSession(sessionId: string, tag: string | null, options: SessionLocation = {}): Promise<void> {
  checkSessionId(sessionId);
  const clean = tag === null ? "" : cleanTag(tag);
  if (tag !== null && clean === "") throw new TypeError("tag must be non-empty (use null to clear)");
  await addEntry({ type: "tag", tag: clean, sessionId }, sessionId, options);
}

/**
 * Deletes a session: its transcript, and the folder beside it with its subagents. The first that is found, not its copies elsewhere.
 *
 * In a store that cannot delete nothing happens: such a store keeps all on purpose.
 *
 * @throws TypeError for what is no session id.
 * @throws {@link SessionNotFoundError}
 * @throws {@link TranscriptAccessError} when the folder stays although the transcript is gone; `path` is that folder. A second call does not
 * find the session any more.
 */
export async function deleteSession(sessionId: string, options: SessionLocation = {}): Promise<void> {
  checkSessionId(sessionId);
  if (options.sessionStore !== undefined) {
    await options.sessionStore.delete?.(storedKey(sessionId, options.dir));
    return;
  }
  for await (const { path, project } of findTranscripts(sessionId, options)) {
    try {
      await unlink(path);
    } catch (error) {
      if (isMissing(error)) continue;
      throw new TranscriptAccessError("delete", path, error);
    }
    const folder = sessionFolder(project, sessionId);
    try {
      // Virus scanners and a CLI that is about to end hold files for moments.
      await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
    } catch (error) {
      throw new TranscriptAccessError("delete", folder, error);
    }
    return;
  }
  throw notFound(sessionId, options.dir);
}

/** Throws TypeError unless it is a session id: a mutation of nothing is a mistake of the caller. */
export function checkSessionId(sessionId: string): void {
  if (!isSessionId(sessionId)) throw new TypeError(`Invalid sessionId: ${sessionId}`);
}

/** The error of a mutation that found no transcript. */
export function notFound(sessionId: string, dir: string | undefined): SessionNotFoundError {
  const where = dir === undefined ? " in any project directory" : ` in project directory for ${dir}`;
  return new SessionNotFoundError(sessionId, where, dir);
}

async function addEntry(entry: SessionStoreEntry, sessionId: string, options: SessionLocation): Promise<void> {
  if (options.sessionStore !== undefined) {
    // Stores tell repeated entries by their uuid, so that a call that is tried again counts once.
    const stored = { ...entry, uuid: randomUUID(), timestamp: new Date().toISOString() };
    await options.sessionStore.append(storedKey(sessionId, options.dir), [stored]);
    return;
  }
  for await (const { path } of findTranscripts(sessionId, options)) if (await appendEntry(path, entry)) return;
  if (options.dir === undefined && !existsSync(projectsFolder(options.configDir))) {
    throw new SessionNotFoundError(sessionId, " (no projects directory)");
  }
  throw notFound(sessionId, options.dir);
}
