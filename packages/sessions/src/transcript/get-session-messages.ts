import type { SessionMessage } from "@reins/messages";
import type { TranscriptProblem } from "./errors.ts";
import { findTranscript, problemHandler } from "./find-transcript.ts";
import type { SessionLocation } from "./location.ts";
import { reportTo } from "./project-folders.ts";
import { type Conversation, ConversationBuilder, readEntries } from "./read-entries.ts";
import { isSessionId } from "./session-id.ts";
import { sessionMessagesOf } from "./session-messages.ts";
import { storedKey } from "./stored-info.ts";

/** Which part of a list of messages is wanted. */
export interface MessagePage {
  /** Most messages. Default, and for 0: all. */
  readonly limit?: number | undefined;
  /** How many are left out at the beginning. Default 0. */
  readonly offset?: number | undefined;
}

/** Options of {@link getSessionMessages}. */
export interface GetSessionMessagesOptions extends SessionLocation, MessagePage {
  /** Also gives `system` entries, with `subtype`, `content` and `level` as further fields. Default false. */
  readonly includeSystemMessages?: boolean | undefined;
}

/**
 * Reads the conversation of a session: the messages from its beginning to its end, in order.
 *
 * A transcript is a tree. Of several branches the one written last counts; what a compaction kept stands behind its summary; the results of
 * parallel calls and prompts sent during a turn are in their places. Hidden entries are left out.
 *
 * The whole transcript is read, since its end decides what belongs to the conversation. To walk through large files use
 * `readTranscript`.
 *
 * @returns No messages where there is no such session.
 * @throws {@link TranscriptAccessError} when the transcript is there but cannot be read, unless there is an `onProblem`.
 * @see contracts/transcripts.md, "The chain"; gives what the Agent SDK 0.3.328 gives
 */
export async function getSessionMessages(
  sessionId: string,
  options: GetSessionMessagesOptions = {},
): Promise<SessionMessage[]> {
  const conversation = await readConversation(sessionId, options);
  if (conversation === undefined) return [];
  return pageOf(sessionMessagesOf(conversation, options.includeSystemMessages ?? false), options);
}

/** Cuts a page out of a list. */
export function pageOf<Item>(items: Item[], { limit = 0, offset = 0 }: MessagePage): Item[] {
  const start = Math.max(offset, 0);
  return limit > 0 ? items.slice(start, start + limit) : items.slice(start);
}

async function readConversation(sessionId: string, options: SessionLocation): Promise<Conversation | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  if (options.sessionStore !== undefined) {
    const entries = await options.sessionStore.load(storedKey(sessionId, options.dir));
    const conversation = new ConversationBuilder();
    // A store may hand out what it keeps.
    for (const entry of entries ?? []) conversation.add({ ...entry });
    return conversation;
  }
  const found = await findTranscript(sessionId, options);
  return found && (await readConversationFile(found.path, problemHandler(options)));
}

/** Reads the entries of a transcript that make its conversation. */
export async function readConversationFile(
  path: string,
  report: (problem: TranscriptProblem) => void,
): Promise<Conversation> {
  const conversation = new ConversationBuilder();
  await readEntries(
    path,
    report,
    (entry) => conversation.add(entry),
    () => conversation.reset(),
  ).catch(reportTo(report));
  return conversation;
}
