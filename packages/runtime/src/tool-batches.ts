import { type JsonRecord, recordOf, recordsOf, textOf } from "./json-value.ts";
import type { ToolCallData } from "./loop-hooks.ts";

/** The tool uses of one message of the model, in the main conversation. */
export interface ToolBatch {
  readonly toolUses: readonly ToolCallData[];
  /** Why none of them may run, once that is decided; kept here so that it is decided once. */
  verdict?: Promise<string | undefined>;
}

interface OpenBatch extends ToolBatch {
  readonly messageId: string;
  toolUses: ToolCallData[];
  /** Whether more blocks may come: its stream goes on. */
  isStreaming: boolean;
}

/**
 * Knows which tool uses belong to one message, and when all of them are known.
 *
 * The CLI asks about a tool as soon as its block is complete, while others may still be streamed. It waits for the answer without
 * holding back the stream, so the answer can wait for the end of the message. [verified on CLI 2.1.328]
 */
export class ToolBatches {
  readonly #onComplete: (batch: ToolBatch) => void;
  readonly #idleMs: number;
  #batch: OpenBatch | undefined;
  #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param onComplete Called when a message with tool uses has ended.
   * @param idleMs How long a stream may be silent before what has come of it is taken for all.
   */
  constructor(onComplete: (batch: ToolBatch) => void, idleMs = 5000) {
    this.#onComplete = onComplete;
    this.#idleMs = idleMs;
  }

  /** The batch of the message that came last. */
  get latest(): ToolBatch | undefined {
    return this.#batch;
  }

  /** Notes a message of the CLI. */
  observe(message: JsonRecord): void {
    if (message["parent_tool_use_id"] != null) return;
    if (message["type"] === "stream_event") this.#streamed(recordOf(message["event"]) ?? {});
    else if (message["type"] === "assistant") this.#came(recordOf(message["message"]) ?? {});
    else if (message["type"] === "result") this.reset();
  }

  /** The batch that a tool use belongs to, when its message has ended: at the latest when the signal aborts. */
  async of(toolUse: ToolCallData, signal: AbortSignal): Promise<ToolBatch> {
    let batch = this.#batch;
    // Its frame may come behind the question, or not at all.
    if (batch === undefined || !(batch.isStreaming || has(batch, toolUse)))
      batch = this.#batch = { messageId: "", toolUses: [], isStreaming: false };
    if (batch.isStreaming && !signal.aborted) await this.#ended(signal);
    if (!has(batch, toolUse)) batch.toolUses = [...batch.toolUses, toolUse];
    return batch;
  }

  /** Lets go of everything: the turn has ended, or the session. */
  reset(): void {
    this.#release();
    this.#batch = undefined;
  }

  #streamed(event: JsonRecord): void {
    if (event["type"] === "message_start") {
      this.#release();
      const messageId = textOf(recordOf(event["message"])?.["id"]) ?? "";
      this.#batch = { messageId, toolUses: [], isStreaming: true };
    } else if (event["type"] === "message_stop") this.#release();
    else if (this.#timer !== undefined) this.#timer.refresh();
  }

  #came(message: JsonRecord): void {
    const messageId = textOf(message["id"]) ?? "";
    const toolUses = recordsOf(message["content"]).flatMap((block) => {
      const toolUseId = textOf(block["id"]);
      const toolName = textOf(block["name"]);
      if (block["type"] !== "tool_use" || toolUseId === undefined || toolName === undefined) return [];
      return [{ toolUseId, toolName, toolInput: recordOf(block["input"]) ?? {} }];
    });
    if (toolUses.length === 0) return;
    if (this.#batch?.messageId !== messageId) this.#batch = { messageId, toolUses: [], isStreaming: false };
    const batch = this.#batch;
    batch.toolUses = [...batch.toolUses, ...toolUses.filter((toolUse) => !has(batch, toolUse))];
  }

  #ended(signal: AbortSignal): Promise<void> {
    this.#timer ??= setTimeout(() => this.#release(), this.#idleMs);
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#batch;
    if (batch?.isStreaming) {
      batch.isStreaming = false;
      if (batch.toolUses.length > 0) this.#onComplete(batch);
    }
    for (const done of [...this.#waiting]) done();
  }
}

function has(batch: ToolBatch, { toolUseId }: ToolCallData): boolean {
  return batch.toolUses.some((known) => known.toolUseId === toolUseId);
}
