import type { Message } from "./message.ts";
import { isStartupFailure } from "./result-outcome.ts";
import type { ApiUsage, ModelUsage } from "./usage.ts";

/** Tokens, counted from messages. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
}

/** What a session used, as the CLI counts it. */
export interface UsageTotals {
  /** US dollars: the CLI's estimate. */
  readonly costUsd: number;
  /** By model. */
  readonly models: Readonly<Record<string, ModelUsage>>;
}

/**
 * Reads from its messages what a session uses. Feed it every message, in order.
 *
 * `conversation` and `total` are the CLI's own running totals, taken from the latest result and never summed; a conversation reset
 * sets the CLI's to zero, and `total` goes on. `live` counts messages as they come: each response once, by its id.
 *
 * @example
 * const meter = new UsageMeter();
 * for await (const message of query({ prompt })) meter.observe(message);
 * console.log(meter.total.costUsd);
 */
export class UsageMeter {
  /** Responses that may still change, oldest first. */
  readonly #responses = new Map<string, TokenCounts>();
  /** Sum of the responses that were dropped from the map. */
  #settled: TokenCounts = none;
  /** Id of the response that is streamed at the moment. */
  #streaming: string | undefined;
  #conversation: UsageTotals = nothing;
  /** Totals of the conversations before the last reset. */
  #banked: UsageTotals = nothing;

  /** Takes a message into account. Messages that say nothing of usage are welcome. */
  observe(message: Message): void {
    switch (message.type) {
      case "assistant":
        // Frames that the CLI made up have a random id and no tokens. One of another shape than its type says counts nothing.
        if (message.message?.model !== "<synthetic>") this.#count(message.message?.id, message.message?.usage);
        return;
      case "stream_event":
        this.#observeEvent(message.event, message.api_message_id);
        return;
      case "result":
        if (isStartupFailure(message)) return;
        this.#conversation = { costUsd: message.total_cost_usd ?? 0, models: message.modelUsage ?? {} };
        return;
      case "conversation_reset":
        this.#banked = sumTotals(this.#banked, this.#conversation);
        this.#conversation = nothing;
        return;
      default:
        return;
    }
  }

  /**
   * Tokens of the responses that were seen, subagents included as far as they write messages. Ahead of the totals while a turn runs,
   * but lower in the end: without partial messages the API's final counts are not seen, and helper calls write no messages.
   */
  get live(): TokenCounts {
    let sum = this.#settled;
    for (const counts of this.#responses.values()) sum = sumCounts(sum, counts);
    return sum;
  }

  /** Totals of the conversation since its last reset, as of the latest result. After a resume the earlier processes are included. */
  get conversation(): UsageTotals {
    return this.#conversation;
  }

  /** Totals of all conversations that this meter saw, as of the latest result. */
  get total(): UsageTotals {
    return sumTotals(this.#banked, this.#conversation);
  }

  #observeEvent(event: Extract<Message, { type: "stream_event" }>["event"], messageId: string | undefined): void {
    if (event?.type === "message_start") {
      // A gateway may leave the response out.
      this.#streaming = event.message?.id;
      this.#count(event.message?.id, event.message?.usage);
    } else if (event?.type === "message_delta") {
      this.#count(messageId ?? this.#streaming, event.usage);
    }
  }

  /**
   * The last counts of a response win: those at its end come after all of its blocks. A member that the API does not repeat keeps
   * its value.
   */
  #count(id: string | undefined, usage: Partial<ApiUsage> | undefined): void {
    if (id === undefined || usage == null) return;
    const before = this.#responses.get(id) ?? none;
    this.#responses.set(id, {
      inputTokens: usage.input_tokens ?? before.inputTokens,
      outputTokens: usage.output_tokens ?? before.outputTokens,
      cacheReadInputTokens: usage.cache_read_input_tokens ?? before.cacheReadInputTokens,
      cacheCreationInputTokens: usage.cache_creation_input_tokens ?? before.cacheCreationInputTokens,
    });
    if (this.#responses.size > maxOpenResponses) this.#settleOldest();
  }

  #settleOldest(): void {
    for (const [id, counts] of this.#responses) {
      this.#settled = sumCounts(this.#settled, counts);
      this.#responses.delete(id);
      return;
    }
  }
}

// Far more than the responses that can be under way at once, so none is counted twice; a session of months stays small.
const maxOpenResponses = 1024;

const none: TokenCounts = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
};

const nothing: UsageTotals = { costUsd: 0, models: {} };

function sumCounts(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cacheReadInputTokens: left.cacheReadInputTokens + right.cacheReadInputTokens,
    cacheCreationInputTokens: left.cacheCreationInputTokens + right.cacheCreationInputTokens,
  };
}

function sumTotals(left: UsageTotals, right: UsageTotals): UsageTotals {
  const models: Record<string, ModelUsage> = { ...left.models };
  for (const [model, usage] of Object.entries(right.models)) {
    const before = Object.hasOwn(left.models, model) ? left.models[model] : undefined;
    models[model] = before === undefined ? usage : sumModelUsage(before, usage);
  }
  return { costUsd: left.costUsd + right.costUsd, models };
}

/** Sums what is counted; what describes the model is the newer one's. */
function sumModelUsage(older: ModelUsage, newer: ModelUsage): ModelUsage {
  const sum: Record<string, unknown> = { ...older, ...newer };
  for (const field of countedFields) {
    const value = (older[field] ?? 0) + (newer[field] ?? 0);
    if (older[field] !== undefined || newer[field] !== undefined) sum[field] = value;
  }
  // Has every member of the two, with numbers where they had numbers.
  return sum as unknown as ModelUsage;
}

const countedFields: readonly (
  | "inputTokens"
  | "outputTokens"
  | "thinkingTokens"
  | "cacheReadInputTokens"
  | "cacheCreationInputTokens"
  | "cacheCreationEphemeral5mInputTokens"
  | "cacheCreationEphemeral1hInputTokens"
  | "webSearchRequests"
  | "costUSD"
)[] = [
  "inputTokens",
  "outputTokens",
  "thinkingTokens",
  "cacheReadInputTokens",
  "cacheCreationInputTokens",
  "cacheCreationEphemeral5mInputTokens",
  "cacheCreationEphemeral1hInputTokens",
  "webSearchRequests",
  "costUSD",
];
