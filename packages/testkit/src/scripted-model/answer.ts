import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type ReplyEvent, type ReplyIds, toErrorBody, toEvents, toMessage } from "./reply.ts";
import type { RequestEnd } from "./request.ts";
import type { ScriptedTurn } from "./turn.ts";

/**
 * Writes a turn as the answer to one request, with its delays, holds, errors and cuts.
 *
 * Rejects only for a turn that cannot be written, such as one with a header that HTTP does not allow; the connection is cut then.
 *
 * @param nextTurn What to write. Never rejects. It may take its time: the end of the client or of the server ends the wait.
 * @param closing Ends every wait and cuts the connection.
 */
export async function writeAnswer(
  response: ServerResponse,
  nextTurn: Promise<ScriptedTurn>,
  wantsStream: boolean,
  ids: ReplyIds,
  closing: AbortSignal,
): Promise<RequestEnd> {
  const gone = new AbortController();
  const onClose = (): void => gone.abort();
  response.on("close", onClose);
  // The client may be gone before the first listener was there.
  if (response.destroyed) gone.abort();
  const signal = AbortSignal.any([gone.signal, closing]);
  try {
    await settled(nextTurn, signal);
    const turn = await nextTurn;
    await pause(turn.delayMs, signal);
    return await (wantsStream ? writeStream(response, turn, ids, signal) : writeWhole(response, turn, ids, signal));
  } catch (error) {
    response.destroy();
    if (!signal.aborted) throw error;
    return closing.aborted ? "dropped" : "cancelled";
  } finally {
    response.off("close", onClose);
  }
}

async function writeWhole(
  response: ServerResponse,
  turn: ScriptedTurn,
  ids: ReplyIds,
  signal: AbortSignal,
): Promise<RequestEnd> {
  await settled(turn.hold, signal);
  if (turn.drop === true) return cut(response);
  if (turn.error !== undefined) return writeError(response, turn, ids, signal);
  return writeJson(response, 200, headersOf(turn, ids), toMessage(turn, ids), signal);
}

async function writeStream(
  response: ServerResponse,
  turn: ScriptedTurn,
  ids: ReplyIds,
  signal: AbortSignal,
): Promise<RequestEnd> {
  const { afterEvents = 0, drop = false, error } = turn;
  const events = toEvents(turn, ids);
  const before = events.slice(0, afterEvents);
  if (before.length > 0) await writeEvents(response, before, turn, ids, signal);
  await settled(turn.hold, signal);
  if (drop) return cut(response);
  if (error !== undefined && before.length === 0) return writeError(response, turn, ids, signal);
  const rest = error === undefined ? events.slice(before.length) : [{ ...toErrorBody(error), type: "error" }];
  await writeEvents(response, rest, turn, ids, signal);
  return finish(response, "", signal);
}

async function writeEvents(
  response: ServerResponse,
  events: readonly ReplyEvent[],
  turn: ScriptedTurn,
  ids: ReplyIds,
  signal: AbortSignal,
): Promise<void> {
  for (const event of events) {
    if (response.headersSent) await pause(turn.eventDelayMs, signal);
    else response.writeHead(200, { ...headersOf(turn, ids), "content-type": "text/event-stream; charset=utf-8" });
    const data = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    // Each event is handed to the system before the next step, so that a cut loses none of those before it.
    await untilAborted(signal, (done) => response.write(data, done));
  }
}

function writeError(
  response: ServerResponse,
  turn: ScriptedTurn,
  ids: ReplyIds,
  signal: AbortSignal,
): Promise<RequestEnd> {
  const error = turn.error!;
  return writeJson(response, error.status, headersOf(turn, ids), error.body ?? toErrorBody(error), signal);
}

function writeJson(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: unknown,
  signal: AbortSignal,
): Promise<RequestEnd> {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  return finish(response, typeof body === "string" ? body : JSON.stringify(body), signal);
}

async function finish(response: ServerResponse, last: string, signal: AbortSignal): Promise<RequestEnd> {
  await untilAborted(signal, (done) => response.end(last, done));
  // The callback also comes when the connection broke.
  return response.writableFinished ? "answered" : "cancelled";
}

function cut(response: ServerResponse): RequestEnd {
  response.destroy();
  return "dropped";
}

function headersOf(turn: ScriptedTurn, ids: ReplyIds): Record<string, string> {
  return { "request-id": ids.messageId.replace(/^msg/, "req"), ...turn.headers };
}

/** Waits until a promise is settled, whichever way. */
async function settled(promise: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  if (promise !== undefined) await untilAborted(signal, (done) => void promise.then(done, done));
}

async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms === undefined || ms <= 0) signal.throwIfAborted();
  else await delay(ms, undefined, { signal });
}

/** Settles when `start` calls back, or rejects when the signal aborts; a callback that never comes is no wait for ever. */
function untilAborted(signal: AbortSignal, start: (done: () => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    start(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
  });
}
