import { stat } from "node:fs/promises";
import type { SessionInfo } from "@reins/messages";
import { readEnds, type TranscriptEnds } from "./ends.ts";
import type { TranscriptProblem } from "./errors.ts";
import { type FoundTranscript, placesOf, problemHandler } from "./find-transcript.ts";
import { hasPromptAfter } from "./later-prompt.ts";
import type { SessionLocation } from "./location.ts";
import { reportTo } from "./project-folders.ts";
import { isSessionId } from "./session-id.ts";
import { sessionInfoOf } from "./session-info.ts";
import { readArchiveMark, readSideTitle, sessionFolder } from "./side-files.ts";
import { storedSessionInfo } from "./stored-info.ts";

/**
 * Reads what {@link listSessions} says about one session, from both ends of its transcript.
 *
 * @returns `undefined` where there is no such session, where it is a subagent's transcript, or where nothing in it could stand for it in a
 * list. So it is for a string that is no session id.
 * @throws {@link TranscriptAccessError} when the transcript is there but cannot be read, unless there is an `onProblem`.
 * @see contracts/transcripts.md, "What a list shows"; gives what the Agent SDK 0.3.328 gives
 */
export async function getSessionInfo(
  sessionId: string,
  options: SessionLocation = {},
): Promise<SessionInfo | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  if (options.sessionStore !== undefined) return await storedSessionInfo(options.sessionStore, sessionId, options.dir);
  const report = problemHandler(options);
  for await (const place of placesOf(sessionId, options)) {
    const ends = await readEnds(place.path).catch(reportTo(report));
    if (ends === undefined) continue;
    const folder = await stat(sessionFolder(place.project, sessionId)).catch(() => undefined);
    return await localSessionInfo(sessionId, ends, place, report, folder !== undefined);
  }
  return undefined;
}

/** What both ends of a transcript, and the files beside it, say about a session of this computer. */
export async function localSessionInfo(
  sessionId: string,
  ends: TranscriptEnds,
  found: Pick<FoundTranscript, "project" | "folder">,
  report: (problem: TranscriptProblem) => void,
  hasFolder: boolean,
): Promise<SessionInfo | undefined> {
  const folder = hasFolder ? sessionFolder(found.project, sessionId) : undefined;
  return await sessionInfoOf(ends, {
    sessionId,
    folder: found.folder,
    sideTitle: async () => (folder === undefined ? undefined : await readSideTitle(folder, report)),
    archived: async () => {
      const mark = folder === undefined ? undefined : await readArchiveMark(folder, report);
      return mark === undefined ? undefined : mark.archived && !hasPromptAfter(ends, mark.atMs);
    },
  });
}
