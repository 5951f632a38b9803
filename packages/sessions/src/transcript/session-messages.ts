import type { SessionMessage } from "@reins/messages";
import { answeredCalls, type ChainEntry, fieldOf, isMessageEntry, isObject } from "./chain-entry.ts";
import { EntryGraph } from "./entry-graph.ts";
import { completedCommands } from "./local-commands.ts";
import { withParallelCalls } from "./parallel-calls.ts";
import { withQueuedPrompts } from "./queued-prompts.ts";
import type { Conversation } from "./read-entries.ts";

/** The messages of a conversation in order, the hidden ones left out. */
export function sessionMessagesOf(conversation: Conversation, includeSystemMessages: boolean): SessionMessage[] {
  const graph = new EntryGraph(conversation.entries);
  const chain = graph.chain();
  const complete = withParallelCalls(chain, graph);
  const entries = withQueuedPrompts(complete, graph, conversation);
  const completed = completedCommands(entries);
  return entries
    .filter((entry) => isVisible(entry, includeSystemMessages))
    .map((entry) => toMessage(entry, completed.has(entry)));
}

/** Kinds of senders whose messages are shown although they are marked as meta: they are other parties, not the CLI. */
const shownOrigins: ReadonlySet<unknown> = new Set([
  "channel",
  "observer",
  "observer-activity",
  "slack-ping",
  "voice-call",
  "peer",
]);

function isVisible(entry: ChainEntry, includeSystemMessages: boolean): boolean {
  if (!isMessageEntry(entry) && !(includeSystemMessages && entry.type === "system")) return false;
  if (entry["isMeta"] === true && !shownOrigins.has(fieldOf(entry["origin"], "kind"))) return false;
  return entry["isSidechain"] !== true && !entry["teamName"];
}

/** Kinds of refusals that say that a tool did not run. */
const refusals: ReadonlySet<unknown> = new Set([
  "user-rejected",
  "permission-rule",
  "automode-blocked",
  "automode-unavailable",
  "automode-parsing-error",
  "interrupted",
  "cancelled",
]);

/** What is handed out of an entry. */
export function toMessage(
  entry: ChainEntry,
  isCompletedLocalCommand = false,
  parents: { readonly toolUseId: string | null; readonly agentId: string | null } = { toolUseId: null, agentId: null },
): SessionMessage {
  return {
    // Visible entries are of these types only.
    type: entry.type as SessionMessage["type"],
    uuid: entry.uuid,
    // A line without a session would be none that the CLI wrote; its value is handed on as it is.
    session_id: entry["sessionId"] as string,
    message: entry["message"],
    parent_tool_use_id: parents.toolUseId,
    parent_agent_id: parents.agentId,
    // Which the declared type leaves out.
    ...{ timestamp: entry["timestamp"] },
    ...marksOf(entry, isCompletedLocalCommand),
  };
}

/** What few messages have. */
function marksOf(entry: ChainEntry, isCompletedLocalCommand: boolean): Record<string, unknown> {
  const marks: Record<string, unknown> = {};
  const isSummary = entry["isCompactSummary"] === true;
  if (isSummary) marks["isCompactSummary"] = true;
  if (isSummary || entry["isMeta"] === true || entry["isVisibleInTranscriptOnly"] === true) marks["is_meta"] = true;
  if (entry["isQueuedCommand"] === true) marks["isQueuedCommand"] = true;
  if (isCompletedLocalCommand) marks["isCompletedLocalCommand"] = true;
  if (isObject(entry["origin"])) marks["origin"] = entry["origin"];
  if (entry["interruptedByShutdown"] === true) marks["interruptedByShutdown"] = true;
  if (entry["toolDenialUnanswered"] === "stream-closed") marks["toolDenialUnanswered"] = "stream-closed";
  if (refusals.has(entry["toolDenialKind"])) {
    const results = answeredCalls(entry);
    if (results.length === 1) {
      marks["tool_result_meta"] = [{ id: results[0], non_execution_kind: entry["toolDenialKind"] }];
    }
  }
  // Without these a system message says nothing: it has no `message`.
  return entry.type === "system" ? { ...marks, ...systemFields(entry) } : marks;
}

function systemFields(entry: ChainEntry): Record<string, unknown> {
  const fields = ["subtype", "content", "level", "compactMetadata"] as const;
  return Object.fromEntries(fields.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])));
}
