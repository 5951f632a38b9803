import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../store/filesystem/make-folder.ts";
import { TranscriptAccessError } from "./errors.ts";
import { findTranscripts } from "./find-transcript.ts";
import type { SessionLocation } from "./location.ts";
import { checkSessionId, notFound } from "./mutations.ts";
import { sessionFolder } from "./side-files.ts";

/**
 * Marks a session as archived, in a file beside each copy of its transcript. Lists still have it, with `archived: true`, until a person sends
 * a prompt in it.
 *
 * @throws TypeError with a `sessionStore`, which does not hold that file, and for what is no session id.
 * @throws {@link SessionNotFoundError}
 */
export async function archiveSession(sessionId: string, options: SessionLocation = {}): Promise<void> {
  await mark(sessionId, true, options);
}

/**
 * Takes a session out of the archive: lists have it with `archived: false`.
 *
 * @throws TypeError with a `sessionStore`, which does not hold the mark, and for what is no session id.
 * @throws {@link SessionNotFoundError}
 */
export async function unarchiveSession(sessionId: string, options: SessionLocation = {}): Promise<void> {
  await mark(sessionId, false, options);
}

async function mark(sessionId: string, archived: boolean, options: SessionLocation): Promise<void> {
  if (options.sessionStore !== undefined) {
    throw new TypeError(
      "Archiving is not supported with sessionStore: the mark is a file beside the local transcript. Leave sessionStore out.",
    );
  }
  checkSessionId(sessionId);
  const content = JSON.stringify({ archived, at: new Date().toISOString(), by: "sdk" });
  let count = 0;
  for await (const { project } of findTranscripts(sessionId, options)) {
    await writeMark(sessionFolder(project, sessionId), content);
    count++;
  }
  if (count === 0) throw notFound(sessionId, options.dir);
}

/** By a rename, so that nobody reads half of it. */
async function writeMark(folder: string, content: string): Promise<void> {
  const path = join(folder, "archived.json");
  const draft = join(folder, `archived.json.${randomUUID()}`);
  try {
    await makeFolder(folder);
    await writeFile(draft, content, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new TranscriptAccessError("write", path, error);
  }
}
