import { createHash } from "node:crypto";
import type { PromptBlock, PromptContent, TranscriptEntry } from "./protocol.ts";

/** A turn as far as it can be compared: what was said, without white space, and images by their hash. */
interface Turn {
  readonly user: string;
  /** All texts of the answer. */
  answer: string;
  /** The last of them, which is all that some hosts keep. */
  last: string;
}

/** What to do with a transcript. */
export type TranscriptPlan =
  /** The session has gone just so: only the prompt is new. */
  | { readonly kind: "continue"; readonly content: PromptContent }
  /** It has not: a session with this past, which may be empty, gets the prompt. */
  | { readonly kind: "restart"; readonly history: readonly TranscriptEntry[]; readonly content: PromptContent }
  /** It is no conversation. */
  | { readonly kind: "invalid"; readonly problem: string };

/** Remembers how a session has gone, to tell whether a transcript is of it. */
export class Conversation {
  readonly #turns: Turn[] = [];
  /** Of a session that was resumed nobody knows how it began. */
  readonly #isKnown: boolean;

  /** @param history What the session begins with; `undefined` when that is not known. */
  constructor(history: readonly TranscriptEntry[] | undefined) {
    this.#isKnown = history !== undefined;
    for (const { role, content } of history ?? []) {
      if (role === "user") this.prompted(content);
      else this.answered(content);
    }
  }

  /** A prompt was sent. */
  prompted(content: TranscriptEntry["content"]): void {
    this.#turns.push({ user: fingerprint(content), answer: "", last: "" });
  }

  /** The model has said something. */
  answered(content: TranscriptEntry["content"]): void {
    const turn = this.#turns.at(-1);
    const text = fingerprint(content);
    if (turn === undefined || text === "") return;
    turn.answer += text;
    turn.last = text;
  }

  /** Compares a transcript with how the session has gone. */
  plan(transcript: readonly TranscriptEntry[]): TranscriptPlan {
    const entries = mergeEntries(transcript);
    const prompt = entries.at(-1);
    if (entries[0]?.role !== "user") return { kind: "invalid", problem: "A transcript has to begin with the user." };
    if (prompt?.role !== "user") return { kind: "invalid", problem: "A transcript has to end with the user." };
    const content = prompt.content;
    const history = entries.slice(0, -1);
    return this.#isSame(history) ? { kind: "continue", content } : { kind: "restart", history, content };
  }

  #isSame(history: readonly TranscriptEntry[]): boolean {
    if (!this.#isKnown || history.length !== 2 * this.#turns.length) return false;
    return this.#turns.every(({ user, answer, last }, i) => {
      const said = fingerprint(history[2 * i + 1]?.content ?? "");
      return fingerprint(history[2 * i]?.content ?? "") === user && (said === answer || said === last);
    });
  }
}

/** Entries of one role after the other, each with what a session can be given: those that say nothing are left out. */
function mergeEntries(
  transcript: readonly TranscriptEntry[],
): (TranscriptEntry & { readonly content: PromptBlock[] })[] {
  const merged: { readonly role: TranscriptEntry["role"]; readonly content: PromptBlock[] }[] = [];
  for (const { role, content } of transcript) {
    const blocks =
      typeof content === "string" ? [{ type: "text" as const, text: content }] : content.filter(isPromptBlock);
    const kept = blocks.filter((block) => (role === "user" ? true : block.type === "text") && !isEmptyText(block));
    if (kept.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...kept);
    else merged.push({ role, content: kept });
  }
  return merged;
}

function isPromptBlock(block: { readonly type: string; readonly [field: string]: unknown }): block is PromptBlock {
  if (block.type === "text") return typeof block["text"] === "string";
  return (block.type === "image" || block.type === "document") && typeof block["source"] === "object";
}

// The API refuses texts of nothing but white space.
function isEmptyText(block: PromptBlock): boolean {
  return block.type === "text" && block.text.trim() === "";
}

// Hosts join the pieces of a text in ways of their own, so white space does not count.
function fingerprint(content: TranscriptEntry["content"]): string {
  if (typeof content === "string") return content.replace(/\s+/g, "");
  return content
    .filter(isPromptBlock)
    .map((block) => (block.type === "text" ? block.text.replace(/\s+/g, "") : `\u0000${hashOf(block)}`))
    .join("");
}

function hashOf(block: PromptBlock): string {
  return createHash("sha256").update(JSON.stringify(block)).digest("hex");
}
