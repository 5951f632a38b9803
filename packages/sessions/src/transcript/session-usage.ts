import type { SessionKey } from "@reins/messages";
import { fieldOf, isObject } from "./chain-entry.ts";
import { SessionNotFoundError } from "./errors.ts";
import type { LooseEntry } from "./fields.ts";
import { findTranscript } from "./find-transcript.ts";
import type { SessionLocation } from "./location.ts";
import { checkSessionId } from "./mutations.ts";
import { readTranscript } from "./read-transcript.ts";
import { storedKey } from "./stored-info.ts";

/** Tokens of responses. */
export interface TokenUsage {
  /** How many responses of the model. */
  readonly responses: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
}

/** What the CLI itself says that one model has cost in a session so far. */
export interface ModelTotal {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly webSearchRequests: number;
  readonly costUsd: number;
}

/** What a session used. */
export interface SessionUsage {
  /** Of the responses in the transcript, each counted once although its lines repeat it. */
  readonly tokens: TokenUsage;
  /** The same by model, as the API named it. */
  readonly byModel: Readonly<Record<string, TokenUsage>>;
  /** The same by day of the response in UTC, such as `2026-01-31`, in order; and there by model. */
  readonly byDay: Readonly<Record<string, Readonly<Record<string, TokenUsage>>>>;
  /**
   * Costs that the CLI wrote last, in US dollars; they include what is in no transcript of the session, such as its subagents and summaries.
   * Absent where it wrote none, as after a crash.
   */
  readonly totalCostUsd?: number;
  /** What the CLI wrote last about each model. */
  readonly modelTotals?: Readonly<Record<string, ModelTotal>>;
}

/**
 * Sums up what a session used, in the memory of one line.
 *
 * Costs are cumulative in a transcript, so they are read from the last record of them and never summed. Tokens are summed, since nothing else
 * says when they were used.
 *
 * @param session Its id, or the key of one transcript, such as a subagent's.
 * @throws TypeError for what is no session id.
 * @throws {@link SessionNotFoundError}
 * @throws {@link TranscriptAccessError} when the transcript cannot be read.
 */
export async function sessionUsage(
  session: string | SessionKey,
  options: SessionLocation & { readonly signal?: AbortSignal | undefined } = {},
): Promise<SessionUsage> {
  const sessionId = typeof session === "string" ? session : session.sessionId;
  checkSessionId(sessionId);
  if (options.sessionStore !== undefined) {
    const key = typeof session === "string" ? storedKey(session, options.dir) : session;
    const entries = await options.sessionStore.load(key);
    if (entries === null) throw new SessionNotFoundError(sessionId, " in the session store", options.dir);
    return await usageOf(entries);
  }
  if (typeof session !== "string") return await usageOf(entriesOf(session, options));
  const found = await findTranscript(session, options);
  if (found === undefined) throw new SessionNotFoundError(session, "", options.dir);
  return await usageOf(entriesOf(found.path, options));
}

/**
 * Sums up what entries of a transcript, or messages of a session, say about its use. Costs come from the last `cost-state` entry or `result`
 * message.
 *
 * @see contracts/transcripts.md, "Usage"
 */
export async function usageOf(entries: Iterable<LooseEntry> | AsyncIterable<LooseEntry>): Promise<SessionUsage> {
  const responses = new Map<string, Response>();
  let totals: LooseEntry | undefined;
  let anonymous = 0;
  for await (const entry of entries) {
    if (entry["type"] === "cost-state" || entry["type"] === "result") totals = entry;
    const usage = fieldOf(entry["message"], "usage");
    if (entry["type"] !== "assistant" || !isObject(usage)) continue;
    const id = fieldOf(entry["message"], "id");
    // The lines of a response repeat its usage; the last has the final count of what was put out.
    const key = typeof id === "string" ? id : `#${anonymous++}`;
    const before = responses.get(key);
    responses.set(key, {
      model: String(fieldOf(entry["message"], "model") ?? "unknown"),
      day: before?.day ?? dayOf(entry["timestamp"]),
      usage,
    });
  }
  return { ...sum(responses.values()), ...totalsOf(totals) };
}

interface Response {
  readonly model: string;
  readonly day: string;
  readonly usage: LooseEntry;
}

async function* entriesOf(
  source: string | SessionKey,
  options: SessionLocation & { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<LooseEntry, undefined> {
  for await (const line of readTranscript(source, { configDir: options.configDir, signal: options.signal })) {
    if ((line.type === "assistant" || line.type === "cost-state") && line.error === undefined) yield line.entry;
  }
}

function sum(responses: Iterable<Response>): Pick<SessionUsage, "tokens" | "byModel" | "byDay"> {
  const all = new Tokens();
  const byModel = new Map<string, Tokens>();
  const byDay = new Map<string, Map<string, Tokens>>();
  for (const { model, day, usage } of responses) {
    const models = byDay.get(day) ?? new Map<string, Tokens>();
    byDay.set(day, models);
    for (const tokens of [all, tokensIn(byModel, model), tokensIn(models, model)]) tokens.add(usage);
  }
  const plain = (tokens: Map<string, Tokens>) =>
    Object.fromEntries([...tokens].map(([name, value]) => [name, { ...value }]));
  const days = [...byDay].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    tokens: { ...all },
    byModel: plain(byModel),
    byDay: Object.fromEntries(days.map(([day, models]) => [day, plain(models)])),
  };
}

function tokensIn(map: Map<string, Tokens>, name: string): Tokens {
  const found = map.get(name) ?? new Tokens();
  map.set(name, found);
  return found;
}

class Tokens implements TokenUsage {
  responses = 0;
  inputTokens = 0;
  outputTokens = 0;
  cacheReadInputTokens = 0;
  cacheCreationInputTokens = 0;

  add(usage: LooseEntry): void {
    this.responses++;
    this.inputTokens += numberIn(usage, "input_tokens");
    this.outputTokens += numberIn(usage, "output_tokens");
    this.cacheReadInputTokens += numberIn(usage, "cache_read_input_tokens");
    this.cacheCreationInputTokens += numberIn(usage, "cache_creation_input_tokens");
  }
}

/** A transcript entry and a message name the same total differently. */
function totalsOf(record: LooseEntry | undefined): Pick<SessionUsage, "totalCostUsd" | "modelTotals"> {
  if (record === undefined) return {};
  const cost = record["totalCostUSD"] ?? record["total_cost_usd"];
  const models = record["modelUsage"];
  return {
    ...(typeof cost === "number" ? { totalCostUsd: cost } : {}),
    ...(isObject(models)
      ? {
          modelTotals: Object.fromEntries(
            Object.entries(models).flatMap(([model, total]) => (isObject(total) ? [[model, modelTotal(total)]] : [])),
          ),
        }
      : {}),
  };
}

function modelTotal(total: LooseEntry): ModelTotal {
  return {
    inputTokens: numberIn(total, "inputTokens"),
    outputTokens: numberIn(total, "outputTokens"),
    cacheReadInputTokens: numberIn(total, "cacheReadInputTokens"),
    cacheCreationInputTokens: numberIn(total, "cacheCreationInputTokens"),
    webSearchRequests: numberIn(total, "webSearchRequests"),
    costUsd: numberIn(total, "costUSD"),
  };
}

function numberIn(value: LooseEntry, name: string): number {
  const found = value[name];
  return typeof found === "number" ? found : 0;
}

function dayOf(timestamp: unknown): string {
  const time = Date.parse(String(timestamp));
  return Number.isNaN(time) ? "unknown" : new Date(time).toISOString().slice(0, 10);
}
