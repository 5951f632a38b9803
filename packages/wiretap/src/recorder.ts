import { promisify } from "node:util";
import { brotliDecompress, constants, gunzip, inflate } from "node:zlib";
import type { CaptureFiles } from "./capture-files.ts";
import type { Exchange, ExchangeEnd, ExchangeRequest, ExchangeResponse } from "./exchange.ts";
import { Redactor } from "./redact.ts";
import { type Arrival, parseEvents, parseJsonOrText } from "./sse.ts";

/** Records one exchange: what came, and when. */
export class Recorder {
  readonly #files: CaptureFiles;
  readonly #maxBytes: number;
  readonly #redactor = new Redactor();
  readonly #startedAt = new Date().toISOString();
  readonly #start = performance.now();
  readonly #chunks: Buffer[] = [];
  readonly #arrivals: Arrival[] = [];
  #request: ExchangeRequest | undefined;
  #replace: ((exchange: Exchange) => void) | undefined;
  #status: { readonly code: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  #recordedBytes = 0;
  #bytes = 0;
  #timings: { requestMs?: number; statusMs?: number; firstByteMs?: number; endMs?: number } = {};
  #isEnded = false;

  constructor(files: CaptureFiles, maxBytes: number) {
    this.#files = files;
    this.#maxBytes = maxBytes;
  }

  /** The request was read. */
  requestRead(): void {
    this.#timings.requestMs = this.#now();
  }

  /** What the request is. From here on there is a file. */
  request(method: string, path: string, rawHeaders: readonly string[], body: Buffer): void {
    const headers = this.#redactor.headers(rawHeaders);
    this.#request = {
      method,
      path: this.#redactor.path(path),
      headers,
      ...(body.length > 0 && { body: this.#readable(path, body) }),
      bytes: body.length,
    };
    this.#replace = this.#files.add(this.#exchange("pending"));
  }

  /** The status line of the answer came. */
  status(code: number, rawHeaders: readonly string[]): void {
    this.#timings.statusMs = this.#now();
    this.#status = { code, headers: this.#redactor.headers(rawHeaders) };
  }

  /** A piece of the answer came. */
  chunk(chunk: Buffer): void {
    const atMs = this.#now();
    this.#timings.firstByteMs ??= atMs;
    this.#bytes += chunk.length;
    if (this.#recordedBytes >= this.#maxBytes) return;
    const kept = chunk.subarray(0, this.#maxBytes - this.#recordedBytes);
    this.#recordedBytes += kept.length;
    this.#chunks.push(kept);
    this.#arrivals.push({ endByte: this.#recordedBytes, atMs });
  }

  /** It is over. Only the first call counts. Settles when the file is on its way. */
  async end(end: ExchangeEnd, error?: string): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#timings.endMs = this.#now();
    // Nothing is known of a request that was not read.
    if (this.#request === undefined) return;
    const response = await this.#response();
    this.#replace?.({
      ...this.#exchange(end),
      ...(response && { response }),
      ...(error !== undefined && { error: this.#redactor.text(error) }),
    });
  }

  #exchange(end: ExchangeEnd): Exchange {
    // Set before the first call.
    const request = this.#request!;
    return { startedAt: this.#startedAt, request, end, timings: { ...this.#timings } };
  }

  async #response(): Promise<ExchangeResponse | undefined> {
    if (this.#status === undefined) return undefined;
    const { code: status, headers } = this.#status;
    const encoding = headers["content-encoding"] ?? "identity";
    const body = await decode(Buffer.concat(this.#chunks), encoding, this.#maxBytes);
    const isStream = (headers["content-type"] ?? "").startsWith("text/event-stream");
    const redact = (text: string): string => this.#redactor.text(text);
    // Times belong to bytes on the wire; of a compressed stream only its end is known.
    const arrivals =
      encoding === "identity" ? this.#arrivals : [{ endByte: body.length, atMs: this.#timings.endMs ?? 0 }];
    return {
      status,
      headers,
      ...(isStream
        ? { events: parseEvents(body, arrivals, redact) }
        : body.length > 0 && { body: this.#readable(this.#request?.path ?? "", body) }),
      bytes: this.#bytes,
      ...(this.#bytes > this.#recordedBytes && { isTruncated: true }),
    };
  }

  #readable(path: string, body: Buffer): unknown {
    const value = parseJsonOrText(this.#redactor.text(body.toString("utf8")));
    // People and models write these, and name their fields as they like.
    if (/^\/v1\/messages(\/|\?|$)/.test(path)) return value;
    const isForm = typeof value === "string" && /^[^\s=&{]+=[^\s]*$/.test(value);
    return isForm ? this.#redactor.parameters(value) : this.#redactor.fields(value);
  }

  #now(): number {
    return Math.round((performance.now() - this.#start) * 1000) / 1000;
  }
}

/** The body without its compression; as it is where that is not known or does not fit. */
async function decode(body: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  try {
    // A stream that was cut has a beginning that is worth reading.
    const zlib = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength };
    if (encoding === "gzip" || encoding === "x-gzip") return await promisify(gunzip)(body, zlib);
    if (encoding === "deflate") return await promisify(inflate)(body, zlib);
    if (encoding === "br") {
      const options = { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength };
      return await promisify(brotliDecompress)(body, options);
    }
  } catch {
    // It is recorded as it came.
  }
  return body;
}
