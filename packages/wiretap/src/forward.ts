import {
  type ClientRequest,
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { type Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setImmediate } from "node:timers/promises";
import { urlToHttpOptions } from "node:url";
import { reachFailure } from "./reach-failure.ts";
import type { Recorder } from "./recorder.ts";

/** Where requests go. */
export interface Upstream {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Keeps connections. Its kind fits the scheme of the URL. */
  readonly agent: HttpAgent | HttpsAgent;
}

/**
 * An API that has closed a connection says so in the time of one round trip. One that breaks off later may have been at work on the call,
 * which costs: it is for the client to make it again.
 */
const staleMs = 1_500;

/** The API takes no more than 32 MB and answers the same way. */
const maxRequestBytes = 64 * 1024 * 1024;

/**
 * Passes a request on and the answer back, and records both.
 *
 * The request is read as a whole first, so that it can be sent a second time over a new connection. The answer goes through piece by piece;
 * a client that reads slowly slows the API down. Settles when the exchange is over and its record on the way; never rejects.
 *
 * @param closing Cuts both connections.
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  upstream: Upstream,
  recorder: Recorder,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  // The response of a server closes when all was sent, too.
  outgoing.on("close", () => gone.abort());
  if (outgoing.destroyed) gone.abort();
  const signal = AbortSignal.any([gone.signal, closing]);
  try {
    const body = await readBody(incoming, signal);
    recorder.requestRead();
    const asking = body && ask(incoming, body, upstream, signal);
    // It may fail before it is waited for.
    asking?.catch(() => {});
    // Redaction takes milliseconds: the request goes first.
    await setImmediate();
    recorder.request(incoming.method ?? "", incoming.url ?? "", incoming.rawHeaders, body ?? Buffer.alloc(0));
    if (asking === undefined) {
      answerError(outgoing, 413, "request_too_large", "The wiretap takes no request of that size.");
      await recorder.end("upstream-failed", "the request was too large");
      return;
    }
    const answer = await asking;
    recorder.status(answer.statusCode ?? 0, answer.rawHeaders);
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedHeaders(answer.rawHeaders));
    // Else the status line would wait for the first byte of the body.
    outgoing.flushHeaders();
    await pass(answer, outgoing, recorder, signal);
    await recorder.end("complete");
  } catch (error) {
    if (signal.aborted) {
      outgoing.destroy();
      await recorder.end(closing.aborted ? "closed" : "client-gone");
      return;
    }
    const { message, isLasting } = reachFailure(error);
    // An answer that broke off must not look complete to the client.
    if (outgoing.headersSent) outgoing.destroy();
    else {
      // The CLI goes by it, which else would try for minutes. [CLI 2.1.328]
      if (isLasting) outgoing.setHeader("x-should-retry", "false");
      answerError(outgoing, 502, "api_error", `The wiretap cannot reach the API: ${message}`);
    }
    await recorder.end("upstream-failed", message);
  }
}

/** An error in the form of the API. */
export function answerError(outgoing: ServerResponse, status: number, type: string, message: string): void {
  outgoing
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ type: "error", error: { type, message } }));
}

/** @returns `undefined` for one that is too large. */
async function readBody(incoming: IncomingMessage, signal: AbortSignal): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  return await new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxRequestBytes) chunks.push(chunk);
      else {
        // The rest is read and dropped, so that the client comes to read the answer.
        chunks.length = 0;
      }
    });
    incoming.on("end", () => {
      signal.removeEventListener("abort", onAbort);
      resolve(length <= maxRequestBytes ? Buffer.concat(chunks) : undefined);
    });
    incoming.on("error", reject);
  });
}

/** The answer of the API, from its status line on. */
async function ask(
  incoming: IncomingMessage,
  body: Buffer,
  upstream: Upstream,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    return await askOnce(incoming, body, upstream, signal, upstream.agent);
  } catch (error) {
    // A connection that was kept may have been closed by the API in the same moment; nothing was answered then.
    if (!(error instanceof StaleConnectionError) || signal.aborted) throw error;
    return await askOnce(incoming, body, upstream, signal, false);
  }
}

function askOnce(
  incoming: IncomingMessage,
  body: Buffer,
  { baseUrl }: Upstream,
  signal: AbortSignal,
  agent: HttpAgent | HttpsAgent | false,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = new URL(baseUrl + (incoming.url ?? ""));
    const options: RequestOptions = {
      ...urlToHttpOptions(url),
      method: incoming.method ?? "GET",
      headers: requestHeaders(incoming, url, body),
      agent,
      signal,
    };
    const request: ClientRequest = url.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
    request.on("response", resolve);
    // Behind the answer it is the answer that breaks off.
    request.on("error", (error) => {
      const isStale = request.reusedSocket && performance.now() - begin < staleMs;
      reject(isStale ? new StaleConnectionError(error) : error);
    });
    const begin = performance.now();
    request.end(body);
  });
}

class StaleConnectionError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** Passes the body on. Rejects when one of the two sides breaks off. */
function pass(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.on("data", (chunk: Buffer) => {
      recorder.chunk(chunk);
      if (outgoing.write(chunk)) return;
      answer.pause();
      outgoing.once("drain", () => answer.resume());
    });
    answer.on("end", () => outgoing.end(() => resolve()));
    answer.on("error", reject);
    const onAbort = (): void => {
      answer.destroy();
      // The client has closed behind the end of the answer.
      if (outgoing.writableFinished) resolve();
      else reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

// They are about one connection, not about what goes over it (RFC 9110, 7.6.1).
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function requestHeaders(incoming: IncomingMessage, url: URL, body: Buffer): string[] {
  const headers = passedHeaders(incoming.rawHeaders).filter((_, i, all) => {
    const name = all[i - (i % 2)]?.toLowerCase();
    return name !== "host" && name !== "content-length" && name !== "expect";
  });
  headers.push("host", url.host);
  const hasBody = body.length > 0 || incoming.headers["content-length"] !== undefined;
  if (hasBody) headers.push("content-length", String(body.length));
  // `auth` of the options is not used when headers are a list.
  if (url.username !== "" && incoming.headers.authorization === undefined) {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.push("authorization", `Basic ${Buffer.from(user).toString("base64")}`);
  }
  return headers;
}

/** Names and values in turn, as they came: several of one name stay several. */
function passedHeaders(raw: readonly string[]): string[] {
  const named = pairs(raw).filter(([name]) => name.toLowerCase() === "connection");
  const dropped = new Set(named.flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/)));
  return pairs(raw)
    .filter(([name]) => !hopByHop.has(name.toLowerCase()) && !dropped.has(name.toLowerCase()))
    .flat();
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length >> 1 }, (_, i) => [raw[2 * i] ?? "", raw[2 * i + 1] ?? ""]);
}
