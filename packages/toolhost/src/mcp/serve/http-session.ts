import type { IncomingMessage, ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type ServedServer, serveTransport } from "./serve-transport.ts";

/** What the sessions of a server over HTTP have in common. */
export interface HttpSessionOptions {
  readonly sessionIdleMs: number;
  readonly onError: (error: Error) => void;
  /** Told once when the session has ended. */
  readonly onEnd: () => void;
}

/** One session over streamable HTTP. It ends when its client deletes it or lets it idle. */
export class HttpSession {
  readonly #transport: StreamableHTTPServerTransport;
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;
  /** Requests that were not answered yet; the stream of notifications counts too. */
  #open = 0;
  #isEnded = false;

  /** @throws What `server.connect` throws. */
  constructor(id: string, server: ServedServer, options: HttpSessionOptions) {
    const { sessionIdleMs, onError, onEnd } = options;
    this.#idleMs = sessionIdleMs;
    this.#transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    // The SDK's classes are not compiled with exactOptionalPropertyTypes, its interfaces are.
    const transport = this.#transport as Transport;
    serveTransport(server, transport, {
      answersCancelled: true,
      onError,
      onEnd: () => {
        this.#isEnded = true;
        clearTimeout(this.#idle);
        onEnd();
      },
    });
    void transport.start();
  }

  /** Whether the client has begun the session, with an `initialize`. */
  get hasBegun(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** @param body What the request's body holds, for a request that has one. */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    this.#open++;
    clearTimeout(this.#idle);
    response.once("close", () => {
      this.#open--;
      if (this.#open > 0 || this.#isEnded) return;
      this.#idle = setTimeout(() => void this.close(), this.#idleMs);
      this.#idle.unref();
    });
    await this.#transport.handleRequest(request, response, body);
  }

  /** Ends the session: running calls abort, streams end. */
  async close(): Promise<void> {
    await this.#transport.close();
  }
}
