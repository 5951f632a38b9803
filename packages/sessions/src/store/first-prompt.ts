import type { SessionStoreEntry } from "./session-store.ts";

/** What an entry says about how its session began. */
export interface FirstPrompt {
  /** The text that stands for the session in lists. */
  readonly text?: string | undefined;
  /** A slash command, which stands for the session as long as there is no text. */
  readonly command?: string | undefined;
}

/** Longest first prompt, in UTF-16 units, as in the CLI. */
const maxLength = 200;

/**
 * Reads the first prompt from an entry, if it is a prompt of a person.
 *
 * Tool results, meta entries and summaries of a compaction are none, and neither is text that begins with a lower-case tag, since the
 * CLI injects those.
 *
 * @see contracts/session-store.md, "Summaries"; verified against the Agent SDK 0.3.328
 */
export function firstPromptOf(entry: SessionStoreEntry): FirstPrompt {
  if (entry.type !== "user" || entry["isMeta"] === true || entry["isCompactSummary"] === true) return {};
  let command: string | undefined;
  for (const raw of textsOf(entry["message"])) {
    const text = unwrapPasted(raw).replaceAll("\n", " ").trim();
    if (text === "") continue;
    const commandName = commandIn(text);
    if (commandName !== undefined) {
      if (command === undefined && commandName !== "") command = commandName;
      continue;
    }
    const shell = between(text, "<bash-input>", "</bash-input>");
    if (shell !== undefined) return { text: `! ${shell.trim()}`, command };
    if (/^<[a-z][\w-]*[\s>]/.test(text) || /^\[Request interrupted by user[^\]]*\]/.test(text)) continue;
    return { text: shorten(text), command };
  }
  return { command };
}

function textsOf(message: unknown): string[] {
  if (typeof message !== "object" || message === null || !("content" in message)) return [];
  const { content } = message;
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  const blocks = content.filter((block): block is object => typeof block === "object" && block !== null);
  if (blocks.some((block) => "type" in block && block.type === "tool_result")) return [];
  return blocks.flatMap((block) =>
    "type" in block && block.type === "text" && "text" in block && typeof block.text === "string" ? [block.text] : [],
  );
}

/** Replaces pasted blocks by what was pasted, together with the line breaks that the CLI puts around them. */
function unwrapPasted(text: string): string {
  const opening = /<pasted_content id="([0-9a-f]{4})">\n/g;
  let result = "";
  let end = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const closing = `\n</pasted_content id="${match[1]}">`;
    // The line break behind the opening tag may be the one before the closing tag: an empty paste.
    const bodyEnd = text.indexOf(closing, opening.lastIndex - 1);
    // As in the CLI, nothing behind a block that is not closed is unwrapped.
    if (bodyEnd === -1) break;
    let before = match.index;
    while (before > end && match.index - before < 2 && text[before - 1] === "\n") before--;
    result += text.slice(end, before) + text.slice(opening.lastIndex, bodyEnd);
    end = bodyEnd + closing.length;
    for (let breaks = 0; breaks < 2 && text[end] === "\n"; breaks++) end++;
    opening.lastIndex = end;
  }
  return result + text.slice(end);
}

/** A command stands on one line. Line feeds are spaces by now; the other line ends of JavaScript are not. */
function commandIn(text: string): string | undefined {
  for (const line of text.split(/[\r\u2028\u2029]/)) {
    const command = between(line, "<command-name>", "</command-name>");
    if (command !== undefined) return command;
  }
  return undefined;
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  if (start === -1) return undefined;
  const end = text.indexOf(close, start + open.length);
  return end === -1 ? undefined : text.slice(start + open.length, end);
}

function shorten(text: string): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, splitsPair ? maxLength - 1 : maxLength).trim()}…`;
}
