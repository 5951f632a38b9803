import type { SessionInfo, SessionKey } from "@reins/messages";
import type { SessionStore, SessionStoreEntry } from "../store/session-store.ts";
import { endBytes, type TranscriptEnds } from "./ends.ts";
import { projectKeyForDirectory } from "./project-key.ts";
import { sessionInfoOf } from "./session-info.ts";
import { TextWindow } from "./text-window.ts";

/** The key of a session in a store. */
export function storedKey(sessionId: string, dir: string | undefined): SessionKey {
  return { projectKey: projectKeyForDirectory(dir), sessionId };
}

/** What a stored transcript says about its session. */
export async function storedSessionInfo(
  store: SessionStore,
  sessionId: string,
  dir: string | undefined,
  modifiedMs?: number,
): Promise<SessionInfo | undefined> {
  const entries = await store.load(storedKey(sessionId, dir));
  if (entries === null || entries.length === 0) return undefined;
  const written = Date.parse(entries.at(-1)?.timestamp ?? "");
  const ends = endsOf(entries, modifiedMs ?? (Number.isNaN(written) ? Date.now() : written));
  const info = await sessionInfoOf(ends, {
    sessionId,
    folder: dir,
    sideTitle: async () => undefined,
    archived: async () => undefined,
  });
  if (info === undefined) return undefined;
  // A store has no file, so it has no size either.
  const { fileSize: _, ...rest } = info;
  return rest;
}

/** Both ends of what the file of these entries would be, without making all of it. */
function endsOf(entries: readonly SessionStoreEntry[], modifiedMs: number): TranscriptEnds {
  const head: string[] = [];
  let headLength = 0;
  for (const entry of entries) {
    if (headLength > endBytes) break;
    headLength += head[head.push(lineOf(entry)) - 1]!.length;
  }
  if (headLength <= endBytes) {
    const window = new TextWindow(Buffer.from(head.join("")));
    return { head: window, tail: window, sizeBytes: 0, modifiedMs };
  }
  const tail: string[] = [];
  let tailLength = 0;
  for (let index = entries.length - 1; index >= 0 && tailLength <= endBytes; index--) {
    tailLength += tail[tail.push(lineOf(entries[index]!)) - 1]!.length;
  }
  return {
    head: new TextWindow(Buffer.from(head.join("")).subarray(0, endBytes)),
    tail: new TextWindow(Buffer.from(tail.reverse().join("")).subarray(-endBytes)),
    sizeBytes: 0,
    modifiedMs,
  };
}

/** The type goes first, as the CLI writes it where a search depends on it: a store may have sorted the keys. */
function lineOf(entry: SessionStoreEntry): string {
  const { type, ...rest } = entry;
  return `${JSON.stringify({ type, ...rest })}\n`;
}
