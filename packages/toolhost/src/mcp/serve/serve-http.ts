import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isReinsError } from "@reins/streamjson";
import { errorMessage } from "../../json-rpc.ts";
import { defaultHosts, reachableHost, refusalOf, urlHost } from "./allowed-hosts.ts";
import { ServeError } from "./errors.ts";
import { HttpSession } from "./http-session.ts";
import { readJson } from "./read-json.ts";
import type { ServedServer } from "./serve-transport.ts";

/** Where and to whom {@link serveHttp} serves. */
export interface ServeHttpOptions {
  /** Default 0: a free port, see {@link HttpServing.url}. */
  readonly port?: number;
  /** Default `"127.0.0.1"`: this machine only. Who can reach the address can call the tools, so put what asks for a password in front. */
  readonly host?: string;
  /** Default `"/mcp"`. */
  readonly path?: string;
  /**
   * Host names, without ports, by which requests may call the server, and from which web pages may. Default: those of loopback, and `host`
   * where it is one machine's. Requests with another `Host` or `Origin` get status 403.
   */
  readonly allowedHosts?: readonly string[];
  /** Milliseconds without a request or an open stream after which a session ends. Its client begins a new one. Default 1,800,000. */
  readonly sessionIdleMs?: number;
  /** Longest request in bytes. Default 16,777,216. */
  readonly maxBodyBytes?: number;
  /** Told of requests that are no messages, and of answers that nobody was there to take. Must not throw. Default: nobody. */
  readonly onError?: (error: Error) => void;
}

/** A server that is being served over HTTP. */
export interface HttpServing extends AsyncDisposable {
  /** Where clients of this machine reach it. */
  readonly url: string;
  /** Ends all sessions and connections; running calls abort. Settles when the port is free. Never rejects. */
  close(): Promise<void>;
}

/**
 * Serves tools to any number of clients over the Model Context Protocol's streamable HTTP.
 *
 * @throws {@link ServeError} when it cannot listen at the address.
 * @example
 * const serving = await serveHttp(createToolServer({ name: "calc", tools: [add] }), { port: 3000 });
 * console.error(serving.url); // http://127.0.0.1:3000/mcp
 */
export async function serveHttp(server: ServedServer, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const { port = 0, host = "127.0.0.1", path = "/mcp" } = options;
  const endpoint = new Endpoint(server, options);
  const http = createServer((request, response) => void endpoint.handle(request, response));
  await listen(http, host, port);
  const { port: actualPort } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const isClosed = new Promise((resolve) => http.close(resolve));
    await endpoint.close();
    http.closeAllConnections();
    await isClosed;
  };
  return { url: `http://${reachableHost(host)}:${actualPort}${path}`, close, [Symbol.asyncDispose]: close };
}

/** What requests are answered by. */
class Endpoint {
  readonly #server: ServedServer;
  readonly #path: string;
  readonly #allowedHosts: readonly string[];
  readonly #sessions = new Map<string, HttpSession>();
  #isClosed = false;
  readonly #options: {
    readonly sessionIdleMs: number;
    readonly maxBodyBytes: number;
    readonly onError: (error: Error) => void;
  };

  constructor(server: ServedServer, options: ServeHttpOptions) {
    const { host = "127.0.0.1", path = "/mcp", allowedHosts = defaultHosts(host) } = options;
    // Half an hour: a person's pause. 16 MiB: arguments may hold a picture or a file.
    const { sessionIdleMs = 1_800_000, maxBodyBytes = 16 * 1024 * 1024, onError = () => {} } = options;
    this.#server = server;
    this.#path = path;
    this.#allowedHosts = allowedHosts;
    this.#options = { sessionIdleMs, maxBodyBytes, onError };
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, this.#allowedHosts);
    if (refusal !== undefined) return refuse(response, 403, -32000, refusal);
    if (request.url?.split("?", 1)[0] !== this.#path) return refuse(response, 404, -32000, "Not found");
    try {
      await this.#serve(request, response);
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)));
      refuse(response, 500, -32603, isReinsError(error) ? error.message : "Internal error");
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const session = this.#sessions.get(String(id));
    // The status tells the client to begin anew.
    if (id !== undefined && session === undefined) return refuse(response, 404, -32001, "Session not found");
    const body = request.method === "POST" ? await readJson(request, this.#options.maxBodyBytes) : { value: undefined };
    if ("problem" in body) return refuse(response, body.status, body.code, body.problem);
    if (this.#isClosed) return refuse(response, 503, -32000, "The server is closing");
    if (session === undefined) await this.#begin(request, response, body.value);
    else await session.handle(request, response, body.value);
  }

  /** A request without a session has to be the one that begins it. That it is, the session's transport looks at. */
  async #begin(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = randomUUID();
    const session = new HttpSession(id, this.#server, {
      ...this.#options,
      onEnd: () => this.#sessions.delete(id),
    });
    this.#sessions.set(id, session);
    try {
      await session.handle(request, response, body);
    } finally {
      if (!session.hasBegun) await session.close();
    }
  }
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  response
    // What is left of the request is not read, so nothing can come behind it.
    .writeHead(status, { "content-type": "application/json", connection: "close" })
    .end(JSON.stringify(errorMessage(null, code, message)));
}

async function listen(http: Server, host: string, port: number): Promise<void> {
  try {
    http.listen(port, host);
    await once(http, "listening");
  } catch (error) {
    throw new ServeError(`${urlHost(host)}:${port}`, error);
  }
}
