import { CaptureScriptError } from "./errors.ts";
import type { CapturedExchange, ExchangeResponse } from "./exchange.ts";
import { isSideCall, modelCallBody } from "./model-call.ts";
import { isObject, readCapture } from "./read-capture.ts";
import { type Reply, type ReplyBlock, readReply } from "./reply.ts";

/** A block of a {@link CapturedTurn}, in the form of the testkit. */
export type CapturedBlock =
  | { readonly type: "text" | "thinking"; readonly deltas: readonly string[] }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** An answer of the model, as `startScriptedModel` of `@reins/testkit` takes it. */
export interface CapturedTurn {
  readonly content?: readonly CapturedBlock[];
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: {
    readonly status: number;
    readonly body?: unknown;
    readonly type?: string;
    readonly message?: string;
  };
  readonly drop?: boolean;
  readonly hold?: Promise<unknown>;
  readonly afterEvents?: number;
}

/**
 * Makes a script for `startScriptedModel` of `@reins/testkit` of a capture, so that a session that was real runs offline: the answers of
 * the model, in the order of the calls, with the pieces in which they came, their token counts, errors and cuts.
 *
 * Calls beside the conversation (key checks, titles) are left out, as the scripted model answers them by itself. An answer that the client
 * gave up stays open after what was seen, for a test that interrupts, too. Agents that ran at the same time may call in another order
 * when they run again.
 *
 * @throws {@link CaptureScriptError} for an answer with blocks that a script has no form for, such as those of the API's own tools.
 * @example
 * const model = await startScriptedModel(await capturesToScript("capture"));
 */
export async function capturesToScript(dir: string): Promise<CapturedTurn[]> {
  return (await readCapture(dir)).flatMap((exchange) => {
    const body = modelCallBody(exchange);
    return body === undefined || isSideCall(body) ? [] : [toTurn(exchange)];
  });
}

function toTurn(exchange: CapturedExchange): CapturedTurn {
  const { response, end } = exchange;
  const isCut = end !== "complete";
  if (response === undefined) return isCut && end !== "upstream-failed" ? held(0) : { drop: true };
  const headers = headersOf(response);
  if (response.status >= 400) return { ...headers, error: { status: response.status, body: response.body ?? "" } };
  const reply = readReply(response);
  const shown = reply.blocks.filter(isShown);
  const turn = {
    ...headers,
    content: shown.map((block) => toBlock(exchange.number, block)),
    ...(reply.stopReason !== undefined && { stopReason: reply.stopReason }),
    usage: reply.wireUsage,
  };
  const afterEvents = eventCount(reply, shown);
  if (reply.errorEvent !== undefined) return { ...turn, error: errorOf(reply.errorEvent), afterEvents };
  if (!isCut && reply.seen.stop) return turn;
  return end === "upstream-failed" || !isCut ? { ...turn, drop: true, afterEvents } : { ...turn, ...held(afterEvents) };
}

function held(afterEvents: number): CapturedTurn {
  return { hold: new Promise(() => {}), afterEvents };
}

/** Events of the scripted stream up to where the real one came to its end. */
function eventCount({ seen }: Reply, blocks: readonly ReplyBlock[]): number {
  const pieces = blocks.map(({ start, deltas, hasSignature, isStopped }) => {
    // The script says an input in one piece, so one that is not whole is not begun.
    if (start["type"] === "tool_use") return isStopped ? 3 : 1;
    return 1 + deltas.length + (hasSignature ? 1 : 0) + (isStopped ? 1 : 0);
  });
  const whole = pieces.reduce((sum, count) => sum + count, 0);
  return (seen.start ? 1 : 0) + whole + (seen.delta ? 1 : 0) + (seen.stop ? 1 : 0);
}

/** Thinking that nobody can read is left out: neither the CLI nor a script makes anything of it. */
function isShown({ start }: ReplyBlock): boolean {
  return start["type"] !== "redacted_thinking";
}

function toBlock(number: number, { start, deltas, isStopped }: ReplyBlock): CapturedBlock {
  const { type } = start;
  if (type === "text" || type === "thinking") return { type, deltas };
  if (type !== "tool_use") throw new CaptureScriptError(number, `it holds a block of the type ${String(type)}`);
  return {
    type,
    id: String(start["id"]),
    name: String(start["name"]),
    input: isStopped ? inputOf(number, start, deltas) : {},
  };
}

function inputOf(
  number: number,
  start: Readonly<Record<string, unknown>>,
  deltas: readonly string[],
): Record<string, unknown> {
  const json = deltas.join("");
  try {
    const input: unknown = json === "" ? (start["input"] ?? {}) : JSON.parse(json);
    if (isObject(input)) return input;
  } catch {
    // Said below.
  }
  throw new CaptureScriptError(number, `the input of the tool ${String(start["name"])} is no JSON object`);
}

function errorOf(event: Readonly<Record<string, unknown>>): NonNullable<CapturedTurn["error"]> {
  const error = isObject(event["error"]) ? event["error"] : {};
  const { type, message } = error;
  // Within a stream there is no status any more; the scripted model wants one all the same.
  return {
    status: type === "overloaded_error" ? 529 : 500,
    ...(typeof type === "string" && { type }),
    ...(typeof message === "string" && { message }),
  };
}

/** What the CLI goes by: when to try again, and how much is left. */
function headersOf({ headers }: ExchangeResponse): Pick<CapturedTurn, "headers"> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(retry-after(-ms)?|x-should-retry|anthropic-ratelimit-.*)$/.test(name),
  );
  return kept.length === 0 ? {} : { headers: Object.fromEntries(kept) };
}
