import { firstPromptOf } from "../store/first-prompt.ts";
import type { TranscriptEnds } from "./ends.ts";
import { type LooseEntry, linesOf, parseEntry } from "./fields.ts";

/**
 * Tells whether a person sent a prompt after a time, which takes a session out of the archive. Looks at both ends of the transcript only.
 *
 * @see contracts/transcripts.md, "Archive"; verified against the Agent SDK 0.3.328
 */
export function hasPromptAfter({ head, tail }: TranscriptEnds, atMs: number): boolean {
  for (const window of head === tail ? [head] : [tail, head]) {
    for (const line of linesOf(window)) {
      if (!line.includes('"user"') && !line.includes('"queued_command"')) continue;
      const entry = parseEntry(line);
      if (entry === undefined || !(Date.parse(String(entry["timestamp"])) > atMs)) continue;
      if (entry["type"] === "user" ? isPrompt(entry) : isQueuedPrompt(entry)) return true;
    }
  }
  return false;
}

function isPrompt(entry: LooseEntry): boolean {
  return (
    entry["isSidechain"] !== true &&
    entry["isMeta"] !== true &&
    entry["isCompactSummary"] !== true &&
    entry["isVisibleInTranscriptOnly"] !== true &&
    entry["toolUseResult"] === undefined &&
    isHuman(entry["origin"]) &&
    isPersonal(contentOf(entry["message"]))
  );
}

function isQueuedPrompt(entry: LooseEntry): boolean {
  if (entry["type"] !== "attachment" || entry["isSidechain"] === true) return false;
  const attachment = entry["attachment"];
  if (!isObject(attachment) || attachment["type"] !== "queued_command" || attachment["isMeta"] === true) return false;
  const mode = attachment["commandMode"];
  if (mode !== undefined && mode !== "prompt" && mode !== "bash") return false;
  return isHuman(attachment["origin"]) && isPersonal(attachment["prompt"]);
}

function isHuman(origin: unknown): boolean {
  return origin === undefined || (isObject(origin) && origin["kind"] === "human");
}

/** Text of a person, a slash command, a picture or a file. */
function isPersonal(content: unknown): boolean {
  const blocks: unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
  const found = blocks.filter(isObject);
  if (found.some((block) => block["type"] === "tool_result")) return false;
  if (found.some((block) => block["type"] === "image" || block["type"] === "document")) return true;
  if (found.some((block) => typeof block["text"] === "string" && /^\s*<command-message>/.test(block["text"])))
    return true;
  return firstPromptOf({ type: "user", message: { content } }).text !== undefined;
}

function contentOf(message: unknown): unknown {
  return isObject(message) ? message["content"] : undefined;
}

function isObject(value: unknown): value is LooseEntry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
