import { type ComparedCall, changesBetween, type RequestChanges, toComparedCall } from "./changes.ts";
import type { CapturedExchange, ExchangeEnd } from "./exchange.ts";
import { isSideCall, type ModelCallBody, modelCallBody } from "./model-call.ts";
import { type ReplyUsage, readReply } from "./reply.ts";

/** What a capture shows at a glance. */
export interface CaptureSummary {
  /** The calls of the model, in the order of arrival. */
  readonly calls: readonly CallSummary[];
  /** Requests that were none: token counts, probes. */
  readonly otherRequests: readonly OtherRequest[];
  /** Sums over all calls whose answer stated counts. */
  readonly usage: ReplyUsage;
  /** Part of the input tokens of all calls that came out of the cache, from 0 to 1; `undefined` without input. */
  readonly cacheHitRate: number | undefined;
}

/** A call of the model. */
export interface CallSummary {
  /** Number of the request in the capture. */
  readonly number: number;
  /** The call is beside the conversation: it checks a key or a model, or names the session. */
  readonly isSideCall: boolean;
  readonly model: string;
  readonly end: ExchangeEnd;
  /** HTTP status; `undefined` without an answer. */
  readonly status: number | undefined;
  readonly stopReason: string | undefined;
  /** Bytes of the request's body. */
  readonly requestBytes: number;
  /** Characters of the system prompt: the text of all its blocks. */
  readonly systemChars: number;
  /** Names of the tools on offer, in order. */
  readonly toolNames: readonly string[];
  /** Characters of the tools' definitions as JSON. */
  readonly toolsChars: number;
  readonly messageCount: number;
  /** Characters of the messages as JSON. */
  readonly messagesChars: number;
  /** Token counts as the API stated them; `undefined` when it did not. */
  readonly usage: ReplyUsage | undefined;
  /** Part of the input tokens that came out of the cache, from 0 to 1. */
  readonly cacheHitRate: number | undefined;
  /** Milliseconds to the first byte of the answer's body. */
  readonly firstByteMs: number | undefined;
  /** Milliseconds to the end. */
  readonly durationMs: number | undefined;
  /** Against the earlier call whose conversation this one goes on with; `undefined` when it begins one. */
  readonly changes: RequestChanges | undefined;
}

/** A request that is no call of the model. */
export interface OtherRequest {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
}

/** Sums up what {@link readCapture} gave: the size of the system prompt, tools, tokens, cache hits, and what changes from call to call. */
export function summarizeCapture(exchanges: readonly CapturedExchange[]): CaptureSummary {
  const calls: CallSummary[] = [];
  const otherRequests: OtherRequest[] = [];
  const earlier: ComparedCall[] = [];
  const knownMessages = new Map<string, number>();
  for (const exchange of exchanges) {
    const { number, request, response } = exchange;
    const body = modelCallBody(exchange);
    if (body === undefined) {
      otherRequests.push({ number, method: request.method, path: request.path, status: response?.status });
      continue;
    }
    const compared = isSideCall(body) ? undefined : toComparedCall(number, body, knownMessages);
    calls.push(summarizeCall(exchange, body, compared && changesBetween(earlier, compared)));
    if (compared !== undefined) earlier.push(compared);
  }
  const usage = calls.reduce<ReplyUsage>((sum, call) => addUsage(sum, call.usage), noUsage);
  return { calls, otherRequests, usage, cacheHitRate: cacheHitRate(usage) };
}

function summarizeCall(
  { number, request, response, end, timings }: CapturedExchange,
  body: ModelCallBody,
  changes: RequestChanges | undefined,
): CallSummary {
  const reply = readReply(response);
  const { tools = [], messages } = body;
  return {
    number,
    isSideCall: isSideCall(body),
    model: body.model,
    end,
    status: response?.status,
    stopReason: reply.stopReason,
    requestBytes: request.bytes,
    systemChars: textLength(body["system"]),
    toolNames: tools.map((tool) => String(tool["name"] ?? tool["type"])),
    toolsChars: tools.length === 0 ? 0 : JSON.stringify(tools).length,
    messageCount: messages.length,
    messagesChars: JSON.stringify(messages).length,
    usage: reply.usage,
    cacheHitRate: reply.usage && cacheHitRate(reply.usage),
    firstByteMs: timings.firstByteMs,
    durationMs: timings.endMs,
    changes,
  };
}

const noUsage: ReplyUsage = { inputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };

function addUsage(sum: ReplyUsage, usage: ReplyUsage | undefined): ReplyUsage {
  if (usage === undefined) return sum;
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    cacheReadTokens: sum.cacheReadTokens + usage.cacheReadTokens,
    cacheCreationTokens: sum.cacheCreationTokens + usage.cacheCreationTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
  };
}

function cacheHitRate({ inputTokens, cacheReadTokens, cacheCreationTokens }: ReplyUsage): number | undefined {
  // The API counts the three apart.
  const all = inputTokens + cacheReadTokens + cacheCreationTokens;
  return all === 0 ? undefined : cacheReadTokens / all;
}

function textLength(system: unknown): number {
  if (typeof system === "string") return system.length;
  if (!Array.isArray(system)) return 0;
  return system.reduce<number>((length, block: unknown) => {
    const text = typeof block === "object" && block !== null && "text" in block ? block.text : undefined;
    return length + (typeof text === "string" ? text.length : 0);
  }, 0);
}
