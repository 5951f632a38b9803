import { createServer, Agent as HttpAgent, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { CaptureFiles } from "./capture-files.ts";
import { answerError, forward, type Upstream } from "./forward.ts";
import { Recorder } from "./recorder.ts";

/** Options of {@link startWiretap}. */
export interface WiretapOptions {
  /** Folder for the files. Made, with its parents, when it is not there. */
  readonly dir: string;
  /** Base URL of the API. Default: `ANTHROPIC_BASE_URL` of this process, else `https://api.anthropic.com`. */
  readonly upstream?: string | undefined;
  /** Bytes of an answer that are recorded; what is longer is passed on all the same. Default 64 MiB. */
  readonly maxRecordedBytes?: number | undefined;
  /** Told when a file could not be written: the request goes through all the same. Must not throw. Default: nobody. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A running wiretap. Close it. */
export interface Wiretap extends AsyncDisposable {
  /** For `ANTHROPIC_BASE_URL` of the CLI: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The folder of the capture. */
  readonly dir: string;
  /**
   * An environment for a CLI that is to be recorded: the given one, with `ANTHROPIC_BASE_URL` on the wiretap, and loopback taken out of what
   * goes through a proxy.
   *
   * @param env Default: that of this process.
   */
  env(env?: Readonly<Record<string, string | undefined>>): Record<string, string | undefined>;
  /** Cuts what still runs, closes the port, and settles when all files are written. Idempotent, never rejects. */
  close(): Promise<void>;
}

/**
 * Records what the CLI says to the model API and what it is answered: a proxy on loopback that the CLI takes for the API.
 *
 * Each request becomes one numbered file of the folder (`0001.json`, an {@link Exchange}): written when the request was read, with the end
 * `pending`, and again when it is over. Files are whole or not there, and readable for their owner only. Credentials are redacted in the files; to the API everything goes
 * as it came. Answers are passed on piece by piece.
 *
 * It records a CLI that speaks to the API through `ANTHROPIC_BASE_URL`: not one on Bedrock, Vertex or Foundry, and not one whose
 * settings set another base URL. It connects to the API itself, without a proxy.
 *
 * @throws {@link CaptureFolderError} for a folder that cannot be used, TypeError for an `upstream` that is no HTTP URL.
 * @example
 * await using wiretap = await startWiretap({ dir: "capture" });
 * spawn("claude", ["-p", "Say hello."], { env: wiretap.env(), stdio: "inherit" });
 * @remarks Verified against CLI 2.1.328.
 */
export async function startWiretap(options: WiretapOptions): Promise<Wiretap> {
  const { dir, maxRecordedBytes = 64 * 1024 * 1024, onError } = options;
  const baseUrl = baseUrlOf(options.upstream || process.env["ANTHROPIC_BASE_URL"] || "https://api.anthropic.com");
  const files = await CaptureFiles.open(dir, (error) => onError?.(error));
  const wiretap = new RunningWiretap(dir, baseUrl, files, maxRecordedBytes);
  await wiretap.listen();
  return wiretap;
}

/**
 * An environment whose `ANTHROPIC_BASE_URL` is the given one, and which reaches it without a proxy.
 *
 * @param url Of a server on loopback.
 */
export function wiretapEnv(
  url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const { hostname } = new URL(url);
  // Programs disagree about which of the two they read.
  const noProxy = Object.fromEntries(
    ["NO_PROXY", "no_proxy"].map((name) => [name, withHost(env[name] || env["NO_PROXY"] || env["no_proxy"], hostname)]),
  );
  return { ...env, ...noProxy, ANTHROPIC_BASE_URL: url };
}

function withHost(list: string | undefined, host: string): string {
  if (list === undefined || list === "") return host;
  return list.split(/[\s,]+/).some((entry) => entry === host || entry === "*") ? list : `${list},${host}`;
}

function baseUrlOf(upstream: string): string {
  const url = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new TypeError(`The upstream of a wiretap has to be an HTTP URL, not ${JSON.stringify(upstream)}.`);
  // A query or fragment would end up in the middle of the path.
  url.search = "";
  url.hash = "";
  return url.href.replace(/\/+$/, "");
}

class RunningWiretap implements Wiretap {
  readonly dir: string;
  readonly #files: CaptureFiles;
  readonly #maxRecordedBytes: number;
  readonly #upstream: Upstream;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #url = "";
  #closed: Promise<void> | undefined;

  constructor(dir: string, baseUrl: string, files: CaptureFiles, maxRecordedBytes: number) {
    this.dir = dir;
    this.#files = files;
    this.#maxRecordedBytes = maxRecordedBytes;
    // A new connection for each request would delay it by a handshake.
    const agent = baseUrl.startsWith("https:")
      ? new HttpsAgent({ keepAlive: true })
      : new HttpAgent({ keepAlive: true });
    this.#upstream = { baseUrl, agent };
    this.#server = createServer((incoming, outgoing) => this.#handle(incoming, outgoing));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => {});
    });
    // A connection that is closed while a request is on its way looks like a network failure to the CLI.
    this.#server.keepAliveTimeout = 0;
  }

  get url(): string {
    return this.#url;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    // A server on TCP has an address of this form.
    const { port } = this.#server.address() as AddressInfo;
    this.#url = `http://127.0.0.1:${port}`;
  }

  env(env?: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
    return wiretapEnv(this.#url, env);
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#closing.abort();
    await Promise.all(this.#running);
    for (const socket of this.#sockets) socket.destroy();
    this.#upstream.agent.destroy();
    await stopped;
    await this.#files.flush();
  }

  #handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    incoming.on("error", () => {});
    outgoing.on("error", () => {});
    if (!this.#isForMe(incoming)) {
      answerError(outgoing, 403, "permission_error", "The wiretap serves this machine's CLI and one API only.");
      return;
    }
    const recorder = new Recorder(this.#files, this.#maxRecordedBytes);
    const done = forward(incoming, outgoing, this.#upstream, recorder, this.#closing.signal);
    this.#running.add(done);
    void done.finally(() => this.#running.delete(done));
  }

  /** Neither a page in a browser, which comes under another name, nor a client that takes this for an open proxy. */
  #isForMe({ url = "", headers }: IncomingMessage): boolean {
    return url.startsWith("/") && headers.host === new URL(this.#url).host;
  }
}
