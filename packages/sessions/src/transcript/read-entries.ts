import { open } from "node:fs/promises";
import { type Frame, FrameDecoder } from "@reins/streamjson";
import { type ChainEntry, isChainEntry } from "./chain-entry.ts";
import { decodeText } from "./decode-text.ts";
import { isMissing, TranscriptAccessError, TranscriptLineError, type TranscriptProblem } from "./errors.ts";
import type { LooseEntry } from "./fields.ts";
import { spokenEntry } from "./voice-call.ts";

/** How much is read at once: large enough that reading costs little beside parsing, small enough to be forgotten. */
const chunkBytes = 1_048_576;
/** Above this size what a compaction replaced for good is not kept, as in the CLI. */
const largeFileBytes = 5 * 1_048_576;

/**
 * Beginnings of lines that no reader of conversations asks for. They are most of a file; the CLI writes the type first in all of them, and
 * what follows is not looked at.
 */
const bulk = /^\{"type":"(?:api-request|file-history|attribution-snapshot|cost-state|last-prompt)/;

/**
 * Reads the lines of a transcript that may matter to its conversation, in order, each parsed.
 *
 * A large file is read from its last compaction that kept nothing, unless `CLAUDE_CODE_DISABLE_PRECOMPACT_SKIP` is set: `onReset`, if given, says to forget what came before. A line that is no entry is
 * reported; a record that was glued to a torn line is not recovered, as in the CLI.
 *
 * @returns False where there is no such file.
 * @throws {@link TranscriptAccessError} when it cannot be read.
 */
export async function readEntries(
  path: string,
  report: (problem: TranscriptProblem) => void,
  onEntry: (entry: LooseEntry) => void,
  onReset?: () => void,
): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const isLarge = !keepsAll() && (await file.stat()).size > largeFileBytes;
      const maxLineBytes = Number.POSITIVE_INFINITY;
      const decoder = new FrameDecoder({ onMalformed: "deliver", maxLineBytes, decodeText });
      const take = (frame: Frame) => {
        const { text } = frame;
        if (bulk.test(text)) return;
        if (frame.error !== undefined) return report(new TranscriptLineError(path, frame.byteOffset, frame.error));
        const entry: LooseEntry = frame.value;
        if (isLarge && onReset !== undefined && endsHistory(text, entry)) onReset();
        onEntry(entry);
      };
      for (;;) {
        // The decoder refers to what it was given, so each read has a buffer of its own.
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(chunkBytes), 0, chunkBytes, null);
        if (bytesRead === 0) break;
        for (const frame of decoder.push(buffer.subarray(0, bytesRead))) take(frame);
      }
      for (const frame of decoder.end()) take(frame);
      return true;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return false;
    // What `report` throws is the caller's own.
    throw error instanceof Error && "errno" in error ? new TranscriptAccessError("read", path, error) : error;
  }
}

/** Whether the environment asks for the whole history, as of the CLI. */
function keepsAll(): boolean {
  return /^(?:1|true|yes|on)$/i.test(process.env["CLAUDE_CODE_DISABLE_PRECOMPACT_SKIP"]?.trim() ?? "");
}

/** Tells whether a compaction replaced all that came before. The CLI looks for the mark in the beginning of a line only. */
function endsHistory(text: string, entry: LooseEntry): boolean {
  if (entry["subtype"] !== "compact_boundary" || entry["type"] !== "system") return false;
  const metadata = entry["compactMetadata"];
  const keepsSome =
    typeof metadata === "object" &&
    metadata !== null &&
    ("preservedMessages" in metadata || "preservedSegment" in metadata);
  return !keepsSome && text.slice(0, 256).includes("compact_boundary");
}

/** What a conversation consists of. */
export interface Conversation {
  readonly entries: readonly ChainEntry[];
  /** Delivery ids of queued prompts that went into a running turn; once per time. */
  readonly absorbed: ReadonlyMap<string, number>;
}

/** Collects the entries of a conversation, and what the records beside them say about it. */
export class ConversationBuilder implements Conversation {
  entries: ChainEntry[] = [];
  readonly absorbed: Map<string, number> = new Map();

  add(stored: LooseEntry): void {
    const entry = spokenEntry(stored);
    if (isChainEntry(entry)) {
      this.entries.push(lighten(entry));
    } else if (entry["type"] === "queue-operation" && entry["reason"] === "absorbed_mid_turn") {
      const id = entry["deliveryId"] ?? entry["commandUuid"];
      if (typeof id === "string") this.absorbed.set(id, (this.absorbed.get(id) ?? 0) + 1);
    }
  }

  reset(): void {
    this.entries = [];
  }
}

/**
 * Lets go of what readers never hand out and what is often larger than all the rest: the second copy of a tool's result, and attachments
 * that are no prompts.
 */
function lighten(entry: ChainEntry): ChainEntry {
  // The parsed object is our own. Overwriting keeps its shape, where deleting would make it slow.
  const own = entry as { toolUseResult?: unknown; rendered?: unknown; attachment?: { readonly type?: unknown } };
  if (own.toolUseResult !== undefined) own.toolUseResult = true;
  if (own.rendered !== undefined) own.rendered = undefined;
  if (own.attachment !== undefined && own.attachment?.type !== "queued_command") {
    own.attachment = { type: own.attachment?.type };
  }
  return entry;
}
