import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { firstPromptOf } from "../store/first-prompt.ts";
import type { SessionStore, SessionStoreEntry } from "../store/session-store.ts";
import { type ChainEntry, isChainEntry } from "./chain-entry.ts";
import { readEnds } from "./ends.ts";
import { SessionForkError, SessionNotFoundError, TranscriptAccessError } from "./errors.ts";
import type { LooseEntry } from "./fields.ts";
import { findTranscript, problemHandler } from "./find-transcript.ts";
import { cutAt } from "./fork-cut.ts";
import { forkEntries } from "./fork-entries.ts";
import type { SessionLocation } from "./location.ts";
import { checkSessionId } from "./mutations.ts";
import { readEntries } from "./read-entries.ts";
import { firstPromptIn, titleOf } from "./session-info.ts";
import { readSideTitle, sessionFolder } from "./side-files.ts";
import { storedKey } from "./stored-info.ts";

/** Options of {@link forkSession}. */
export interface ForkSessionOptions extends SessionLocation {
  /**
   * Last message of the fork, by the `uuid` that {@link getSessionMessages} gives. Default, and for an empty string: all of the session.
   *
   * At the summary of a compaction the fork leaves out what the compaction kept; at its boundary it ends before the compaction.
   */
  readonly upToMessageId?: string | undefined;
  /** Title of the fork. Default: the title of the session, or its first prompt, with ` (fork)` behind it. */
  readonly title?: string | undefined;
}

/** What {@link forkSession} returns. */
export interface ForkSessionResult {
  /** Id of the new session. */
  readonly sessionId: string;
}

/**
 * Copies a session, or its beginning, into a new session beside it, where the conversation can go on differently. The source stays as it is.
 *
 * Every entry gets a uuid of its own. Subagents, file history, tags and costs are not taken over. The new transcript is there whole or not
 * at all.
 *
 * @throws TypeError for what is no session id.
 * @throws {@link SessionNotFoundError}
 * @throws {@link SessionForkError} when there is nothing to fork, or no such message.
 * @see contracts/transcripts.md, "Forks"; gives what the Agent SDK 0.3.328 gives
 */
export async function forkSession(sessionId: string, options: ForkSessionOptions = {}): Promise<ForkSessionResult> {
  checkSessionId(sessionId);
  const { sessionStore: store } = options;
  const source =
    store === undefined ? await localSource(sessionId, options) : await storedSource(sessionId, store, options);
  const entries = cut(sessionId, source.entries, options.upToMessageId);
  const target = randomUUID();
  const now = new Date().toISOString();
  const title = options.title?.trim() || `${(await source.title()) || "Forked session"} (fork)`;
  await source.write(target, forkLines(entries, source.records, sessionId, target, title, now));
  return { sessionId: target };
}

interface ForkSource {
  readonly entries: readonly ChainEntry[];
  readonly records: ForkRecords;
  readonly title: () => Promise<string | undefined>;
  readonly write: (target: string, lines: Iterable<LooseEntry>) => Promise<void>;
}

/** What is said about a session beside its conversation and goes with it. */
interface ForkRecords {
  readonly replacements: unknown[];
  readonly last: Map<string, LooseEntry>;
}

/** Records of which a fork takes over the last, in the order in which it writes them. */
const lastTypes = [
  "atis-latch",
  "tools-used",
  "data-flow-records",
  "data-flow-incomplete",
  "derived-from",
  "relocated",
] as const;

class SourceBuilder {
  readonly entries: ChainEntry[] = [];
  readonly records: ForkRecords = { replacements: [], last: new Map() };

  add(entry: LooseEntry): void {
    const type = entry["type"];
    if (isChainEntry(entry)) {
      if (entry["isSidechain"] !== true) this.entries.push(entry);
    } else if (type === "content-replacement" && Array.isArray(entry["replacements"])) {
      this.records.replacements.push(...entry["replacements"]);
    } else if (type === "history-suppression" || lastTypes.some((each) => each === type)) {
      this.records.last.set(String(type), entry);
    }
  }
}

function cut(sessionId: string, entries: readonly ChainEntry[], messageId: string | undefined): readonly ChainEntry[] {
  if (entries.length === 0) throw new SessionForkError(`Session ${sessionId} has no messages to fork`, sessionId);
  if (!messageId) return entries;
  const kept = cutAt(entries, messageId);
  if (kept === undefined) {
    throw new SessionForkError(`Message ${messageId} not found in session ${sessionId}`, sessionId, messageId);
  }
  if (kept.length === 0) {
    throw new SessionForkError(`Session ${sessionId} has no messages to fork`, sessionId, messageId);
  }
  return kept;
}

function* forkLines(
  entries: readonly ChainEntry[],
  { last, replacements }: ForkRecords,
  source: string,
  target: string,
  title: string,
  now: string,
): Generator<LooseEntry, undefined> {
  const suppression = last.get("history-suppression");
  if (suppression !== undefined) yield { ...suppression, sessionId: target, cause: "fork_inherit" };
  yield* forkEntries(entries, source, target, now);
  if (replacements.length > 0) {
    yield { type: "content-replacement", sessionId: target, replacements, uuid: randomUUID(), timestamp: now };
  }
  for (const type of lastTypes) {
    const record = last.get(type);
    if (record !== undefined) yield { ...record, sessionId: target };
  }
  yield { type: "custom-title", sessionId: target, customTitle: title, uuid: randomUUID(), timestamp: now };
}

async function localSource(sessionId: string, options: ForkSessionOptions): Promise<ForkSource> {
  const found = await findTranscript(sessionId, options);
  if (found === undefined) {
    const where = options.dir === undefined ? "" : ` in project directory for ${options.dir}`;
    throw new SessionNotFoundError(sessionId, where, options.dir);
  }
  const report = problemHandler(options);
  const builder = new SourceBuilder();
  await readEntries(found.path, report, (entry) => builder.add(entry));
  return {
    entries: builder.entries,
    records: builder.records,
    title: async () => {
      const ends = await readEnds(found.path);
      if (ends === undefined) return undefined;
      const sideTitle = () => readSideTitle(sessionFolder(found.project, sessionId), report);
      return (await titleOf(ends, { sideTitle })) || firstPromptIn(ends.head);
    },
    write: (target, lines) => writeTranscript(join(found.project, `${target}.jsonl`), lines),
  };
}

async function storedSource(sessionId: string, store: SessionStore, options: ForkSessionOptions): Promise<ForkSource> {
  const stored = await store.load(storedKey(sessionId, options.dir));
  if (stored === null || stored.length === 0) throw new SessionNotFoundError(sessionId, "", options.dir);
  const builder = new SourceBuilder();
  for (const entry of stored) builder.add(entry);
  const lastText = (name: string) =>
    stored.findLast((entry) => typeof entry[name] === "string" && entry[name] !== "")?.[name] as string | undefined;
  return {
    entries: builder.entries,
    records: builder.records,
    title: async () => lastText("customTitle") ?? lastText("aiTitle") ?? firstPromptAmong(stored),
    // Every line that a fork writes has a type.
    write: (target, lines) => store.append(storedKey(target, options.dir), [...lines] as SessionStoreEntry[]),
  };
}

function firstPromptAmong(entries: readonly SessionStoreEntry[]): string | undefined {
  let fallback: string | undefined;
  for (const entry of entries) {
    const { text, command } = firstPromptOf(entry);
    if (text !== undefined) return text;
    fallback ??= command;
  }
  return fallback;
}

/** Writes under another name first: a list must never see half of a transcript. */
async function writeTranscript(path: string, lines: Iterable<LooseEntry>): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      let text = "";
      for (const line of lines) {
        text += `${JSON.stringify(line)}\n`;
        // One write per line would be slow, one for all would need the memory twice.
        if (text.length < 1_048_576) continue;
        await file.appendFile(text);
        text = "";
      }
      await file.appendFile(text);
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new TranscriptAccessError("write", path, error);
  }
}
