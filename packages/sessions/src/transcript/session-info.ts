import type { SessionInfo } from "@reins/messages";
import { firstPromptOf } from "../store/first-prompt.ts";
import type { SessionStoreEntry } from "../store/session-store.ts";
import type { TranscriptEnds } from "./ends.ts";
import { firstRaw, lastField, lastRaw, linesOf, parseEntry } from "./fields.ts";
import type { TextWindow } from "./text-window.ts";

/** What is known of a session besides the two ends of its transcript. */
export interface InfoContext {
  readonly sessionId: string;
  /** Stands in where the transcript names no working directory. */
  readonly folder: string | undefined;
  /** Gives the title in the side file, if there is one. Asked only when it can count. */
  readonly sideTitle: () => Promise<string | undefined>;
  /** Gives whether the session is archived; absent where it never was. */
  readonly archived: () => Promise<boolean | undefined>;
}

/**
 * Reads what a list says about a session from both ends of its transcript.
 *
 * @returns `undefined` where the transcript is a subagent's, or says nothing that could stand for it in a list.
 * @see contracts/transcripts.md, "What a list shows"; verified against the Agent SDK 0.3.328
 */
export async function sessionInfoOf(ends: TranscriptEnds, context: InfoContext): Promise<SessionInfo | undefined> {
  const { head, tail } = ends;
  if (isSidechain(head)) return undefined;
  const firstPrompt = firstPromptIn(head);
  const customTitle = await titleOf(ends, context);
  const summary =
    customTitle ||
    lastField(tail, undefined, "lastPrompt") ||
    lastField(tail, undefined, "summary") ||
    firstPrompt ||
    mediaIn(head);
  if (!summary) return undefined;
  const gitBranch = lastRaw(tail, "gitBranch") || firstRaw(head, "gitBranch");
  const cwd = lastField(tail, "relocated", "relocatedCwd") || firstRaw(head, "cwd") || context.folder;
  const tag = lastField(tail, "tag", "tag");
  const created = Date.parse(firstRaw(head, "timestamp") ?? "");
  const archived = await context.archived();
  return {
    sessionId: context.sessionId,
    summary,
    lastModified: ends.modifiedMs,
    fileSize: ends.sizeBytes,
    ...(customTitle ? { customTitle } : {}),
    ...(firstPrompt ? { firstPrompt } : {}),
    ...(gitBranch ? { gitBranch } : {}),
    ...(cwd ? { cwd } : {}),
    ...(tag ? { tag } : {}),
    ...(Number.isNaN(created) ? {} : { createdAt: created }),
    ...(archived === undefined ? {} : { archived }),
  };
}

/** Tells whether the first line is marked as a subagent's. Old CLIs kept those beside the sessions. */
function isSidechain(head: TextWindow): boolean {
  const { end } = head.lineAround(0);
  return /"isSidechain": ?true/.test(head.text.slice(0, end));
}

/** The title that somebody gave, else the one that the CLI made. */
export async function titleOf(
  { head, tail }: TranscriptEnds,
  { sideTitle }: Pick<InfoContext, "sideTitle">,
): Promise<string | undefined> {
  const given = lastField(tail, "custom-title", "customTitle");
  return (
    given ||
    (given === undefined && (await sideTitle())) ||
    lastField(head, "custom-title", "customTitle") ||
    lastField(tail, "ai-title", "aiTitle") ||
    lastField(head, "ai-title", "aiTitle") ||
    undefined
  );
}

/** The first prompt of a person in the beginning of a transcript, else the first slash command. */
export function firstPromptIn(head: TextWindow): string | undefined {
  let fallback: string | undefined;
  for (const line of linesOf(head, '"user"')) {
    if (!isPromptLine(line)) continue;
    const entry = parseEntry(line);
    if (entry?.["type"] !== "user") continue;
    // It has a string type, which is what the stored form asks for.
    const { text, command } = firstPromptOf(entry as SessionStoreEntry);
    if (text !== undefined) return text;
    fallback ??= command;
  }
  return fallback;
}

/** Saves parsing what cannot be a prompt, which is nearly every line. */
function isPromptLine(line: string): boolean {
  return /"type": ?"user"/.test(line) && !line.includes('"tool_result"');
}

/** What stands for a session that begins with nothing but a picture or a file. */
function mediaIn(head: TextWindow): string | undefined {
  for (const line of linesOf(head, '"user"')) {
    if (!isPromptLine(line)) continue;
    if (/"type": ?"image"/.test(line)) return "Image";
    if (/"type": ?"document"/.test(line)) return "Document";
  }
  return undefined;
}
