import type { ExchangeEvent } from "./exchange.ts";

/** Where a piece of a body ended, and when it came. */
export interface Arrival {
  /** Bytes of the body up to its end. */
  readonly endByte: number;
  readonly atMs: number;
}

/** Reads server-sent events off a body. An event that has no end is left out: a client has not seen it either. */
export function parseEvents(
  body: Buffer,
  arrivals: readonly Arrival[],
  redact: (text: string) => string,
): ExchangeEvent[] {
  const events: ExchangeEvent[] = [];
  let arrival = 0;
  for (const { text, endByte } of blocksOf(body)) {
    while (arrival < arrivals.length - 1 && (arrivals[arrival]?.endByte ?? 0) < endByte) arrival++;
    const event = parseEvent(redact(text), arrivals[arrival]?.atMs ?? 0);
    if (event !== undefined) events.push(event);
  }
  return events;
}

/** What is between empty lines. */
function* blocksOf(body: Buffer): Generator<{ text: string; endByte: number }> {
  let from = 0;
  let lineStart = 0;
  for (let newline = body.indexOf(10); newline !== -1; newline = body.indexOf(10, newline + 1)) {
    const lineEnd = body[newline - 1] === 13 && newline > lineStart ? newline - 1 : newline;
    if (lineEnd === lineStart) {
      if (lineStart > from) yield { text: body.toString("utf8", from, lineStart), endByte: newline + 1 };
      from = newline + 1;
    }
    lineStart = newline + 1;
  }
}

function parseEvent(text: string, atMs: number): ExchangeEvent | undefined {
  let event: string | undefined;
  const data: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  if (data.length === 0) return undefined;
  return { ...(event !== undefined && { event }), data: parseJsonOrText(data.join("\n")), atMs };
}

/** The value of a text that is JSON, else the text. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
