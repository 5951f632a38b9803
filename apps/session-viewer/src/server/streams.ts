import type { SessionKey } from "@reins/sessions";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Link, Stub, StubBatch } from "../protocol.ts";
import type { Library, PlacedEntry } from "./library.ts";
import { linkOf } from "./links.ts";
import { stubsOf } from "./parts.ts";

export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** So many rows and links at once are parsed by the page in about a millisecond. */
const batchSize = 800;

/** Sends what a generator gives as server-sent events. It is ended when the page goes away, and when the server closes. */
export function sendEvents(
  context: Context,
  closing: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
): Response {
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const signal = AbortSignal.any([closing, gone.signal]);
    try {
      for await (const { event, data } of events(signal)) {
        await stream.writeSSE({ event, data: JSON.stringify(data) });
      }
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      await stream.writeSSE({ event: "problem", data: JSON.stringify({ error: message }) });
    }
  });
}

/**
 * The index of a transcript, in batches: `stubs` with where to go on, `live` when all that was there has come. Then what is appended, if asked to
 * follow; `reset` when another transcript took its place.
 */
export async function* stubEvents(
  library: Library,
  key: SessionKey,
  options: { readonly start: number; readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<StreamEvent> {
  const { follow, signal } = options;
  let next = options.start;
  let stubs: Stub[] = [];
  let links: Link[] = [];
  const take = (placed: PlacedEntry): void => {
    stubs.push(...stubsAt(placed));
    // All that a subagent says is beside the session's conversation, and in its own transcript the conversation itself.
    const link = placed.entry && linkOf(placed.entry, placed.at, { isAgent: key.subpath !== undefined });
    if (link !== undefined) links.push(link);
    next = placed.next;
  };
  const flush = (): StreamEvent => {
    const batch: StubBatch = { stubs, links, next };
    stubs = [];
    links = [];
    return { event: "stubs", data: batch };
  };

  try {
    for await (const placed of library.read(key, next, signal)) {
      take(placed);
      if (links.length + stubs.length >= batchSize) yield flush();
    }
  } catch (error) {
    // A session that was just started has no transcript yet.
    if (!follow || signal.aborted || next > options.start) throw error;
  }
  if (links.length + stubs.length > 0) yield flush();
  yield { event: "live", data: {} };
  if (!follow) return;

  for await (const placed of library.follow(key, next, signal)) {
    if (placed.at < next) {
      yield { event: "reset", data: {} };
      return;
    }
    take(placed);
    yield flush();
  }
}

function stubsAt({ at, entry, problem }: PlacedEntry): readonly Stub[] {
  if (entry !== undefined) return stubsOf(entry, at);
  return [{ at, part: 0, kind: "record", name: "unreadable line", size: problem?.length ?? 0, failed: true }];
}
