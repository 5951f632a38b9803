import type { ExchangeResponse } from "./exchange.ts";
import { isObject } from "./read-capture.ts";

/** Token counts of an answer. */
export interface ReplyUsage {
  /** Input that neither came out of the cache nor went into it. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
  readonly outputTokens: number;
}

/** A block of a reply as it came: its pieces, and whether its end was seen. */
export interface ReplyBlock {
  /** As it began, or whole when the answer was no stream. */
  readonly start: Readonly<Record<string, unknown>>;
  /** The pieces of its text, thinking or input. */
  readonly deltas: readonly string[];
  readonly hasSignature: boolean;
  readonly isStopped: boolean;
}

/** What an answer of the model says. */
export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: string | undefined;
  readonly usage: ReplyUsage | undefined;
  /** The counts by their wire names, the later ones over the earlier ones. */
  readonly wireUsage: Readonly<Record<string, unknown>>;
  /** Data of the `error` event of a stream. */
  readonly errorEvent: Readonly<Record<string, unknown>> | undefined;
  /** Whether `message_start`, `message_delta` and `message_stop` were seen. */
  readonly seen: { readonly start: boolean; readonly delta: boolean; readonly stop: boolean };
}

/** Reads an answer, whether it is a stream or not, and however far it came. */
export function readReply(response: ExchangeResponse | undefined): Reply {
  if (response?.events !== undefined) return readStream(response.events.map(({ data }) => data));
  const body = isObject(response?.body) ? response.body : {};
  const content = Array.isArray(body["content"]) ? body["content"].filter(isObject) : [];
  const wireUsage = objectOf(body["usage"]);
  const isMessage = body["type"] === "message";
  return {
    blocks: content.map((start) => ({
      start,
      deltas: wholeText(start),
      hasSignature: start["type"] === "thinking",
      isStopped: true,
    })),
    stopReason: stringOf(body["stop_reason"]),
    usage: usageOf(wireUsage),
    wireUsage,
    errorEvent: undefined,
    seen: { start: isMessage, delta: isMessage, stop: isMessage },
  };
}

function readStream(events: readonly unknown[]): Reply {
  const blocks = new Map<
    unknown,
    { start: Record<string, unknown>; deltas: string[]; hasSignature: boolean; isStopped: boolean }
  >();
  const seen = { start: false, delta: false, stop: false };
  let wireUsage: Record<string, unknown> = {};
  let stopReason: string | undefined;
  let errorEvent: Record<string, unknown> | undefined;
  for (const event of events) {
    if (!isObject(event)) continue;
    const block = blocks.get(event["index"]);
    switch (event["type"]) {
      case "message_start":
        seen.start = true;
        wireUsage = objectOf(objectOf(event["message"])["usage"]);
        break;
      case "content_block_start":
        blocks.set(event["index"], {
          start: objectOf(event["content_block"]),
          deltas: [],
          hasSignature: false,
          isStopped: false,
        });
        break;
      case "content_block_delta": {
        const delta = objectOf(event["delta"]);
        if (delta["type"] === "signature_delta" && block) block.hasSignature = true;
        const piece = stringOf(delta["text"]) ?? stringOf(delta["thinking"]) ?? stringOf(delta["partial_json"]);
        if (piece !== undefined) block?.deltas.push(piece);
        break;
      }
      case "content_block_stop":
        if (block) block.isStopped = true;
        break;
      case "message_delta":
        seen.delta = true;
        stopReason = stringOf(objectOf(event["delta"])["stop_reason"]) ?? stopReason;
        wireUsage = { ...wireUsage, ...objectOf(event["usage"]) };
        break;
      case "message_stop":
        seen.stop = true;
        break;
      case "error":
        errorEvent = event;
        break;
    }
  }
  return { blocks: [...blocks.values()], stopReason, usage: usageOf(wireUsage), wireUsage, errorEvent, seen };
}

function usageOf(wire: Readonly<Record<string, unknown>>): ReplyUsage | undefined {
  if (Object.keys(wire).length === 0) return undefined;
  const count = (name: string): number => (typeof wire[name] === "number" ? wire[name] : 0);
  return {
    inputTokens: count("input_tokens"),
    cacheReadTokens: count("cache_read_input_tokens"),
    cacheCreationTokens: count("cache_creation_input_tokens"),
    outputTokens: count("output_tokens"),
  };
}

function wholeText(block: Readonly<Record<string, unknown>>): string[] {
  if (block["type"] === "tool_use") return [JSON.stringify(block["input"] ?? {})];
  const text = stringOf(block["text"]) ?? stringOf(block["thinking"]);
  return text === undefined ? [] : [text];
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
