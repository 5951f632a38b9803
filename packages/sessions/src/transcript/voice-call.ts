import { isObject } from "./chain-entry.ts";
import type { LooseEntry } from "./fields.ts";

/**
 * Makes a message of what was said in a voice call, which is stored as a system entry; all other entries stay what they are. What was said
 * into a running turn carries the prompt that was queued for it, and becomes that.
 *
 * @see contracts/transcripts.md, "Voice calls"; as the Agent SDK 0.3.328 reads them
 */
export function spokenEntry(entry: LooseEntry): LooseEntry {
  if (entry["type"] !== "system" || entry["subtype"] !== "voice_call_talk") return entry;
  const { subtype: _, level: _level, msgV: _version, content: words, blocks, fold, ...rest } = entry;
  const { origin, isMeta, ...bare } = rest;
  if (typeof words !== "string" || !isObject(origin) || origin["kind"] !== "voice-call") return entry;
  const content = Array.isArray(blocks) ? blocks : words;
  if (fold === undefined) return { ...rest, type: "user", message: { role: "user", content } };
  if (!isObject(fold) || !isObject(fold["command"])) return entry;
  const { command, ...below } = fold;
  const attachment = { ...fold["command"], type: "queued_command", prompt: content, origin };
  return { ...below, ...bare, type: "attachment", attachment };
}
