import { type Answer, type RequestHandler, textOf } from "./inbound-requests.ts";

/** A JSON-RPC 2.0 message: a request (`method` and `id`), a notification (`method`), or a response (`id`). */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** An MCP server in this process. The servers of `@reins/toolhost` are this; so is anything of the same shape. */
export interface InProcessServer {
  /**
   * Begins a session with this server.
   *
   * @param send Sends a message of the server (a notification or a request) to the CLI.
   */
  connect(send: (message: JsonRpcMessage) => void): InProcessConnection;
}

/** One session with an {@link InProcessServer}. */
export interface InProcessConnection {
  /** Takes a message of the CLI. Gives the response to a request, `undefined` for anything else. */
  handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined>;
  /** Ends the session: what still runs is aborted. */
  close(): void;
}

/** Brings `mcp_message` requests of the CLI to the in-process servers and their answers back. */
export class McpRouter {
  readonly #servers: ReadonlyMap<string, InProcessServer>;
  readonly #connections = new Map<string, InProcessConnection>();
  readonly #send: (serverName: string, message: JsonRpcMessage) => void;

  /** @param send Sends a message of a server to the CLI. */
  constructor(
    servers: Readonly<Record<string, InProcessServer>>,
    send: (serverName: string, message: JsonRpcMessage) => void,
  ) {
    this.#servers = new Map(Object.entries(servers));
    this.#send = send;
  }

  /** Names of the servers, for the initialize request. */
  get names(): readonly string[] {
    return [...this.#servers.keys()];
  }

  /** Serves `mcp_message`. A message that could not be answered is answered with an error, else the CLI waits for its own timeout. */
  get handler(): RequestHandler {
    return {
      handle: (request, context) => this.#handle(textOf(request["server_name"]), request["message"], context.signal),
    };
  }

  /** Ends the sessions with all servers. */
  close(): void {
    const connections = [...this.#connections.values()];
    this.#connections.clear();
    for (const connection of connections) {
      try {
        connection.close();
      } catch {
        // The session is over, and the other servers still have to be closed.
      }
    }
  }

  async #handle(serverName: string, message: unknown, signal: AbortSignal): Promise<Answer> {
    const connection = this.#connection(serverName);
    if (connection === undefined) return { kind: "error", error: `SDK MCP server not found: ${serverName}` };
    if (!isJsonRpc(message)) return { kind: "error", error: "mcp_message carries no JSON-RPC message" };
    if (message.method === undefined || message.id == null) {
      await connection.handle(message);
      // Whatever needs no response is acknowledged all the same: the CLI waits for it.
      return { kind: "success", response: { mcp_response: { jsonrpc: "2.0", result: {}, id: 0 } } };
    }
    const id = message.id;
    const onAbort = async (): Promise<void> => {
      try {
        await connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      } catch {
        // Thrown out of a listener it would end the host, and nobody waits for this.
      }
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const response = await connection.handle(message);
      return { kind: "success", response: { mcp_response: checkedResponse(response, id) } };
    } catch (error) {
      return { kind: "success", response: { mcp_response: internalError(id, textOf(error)) } };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #connection(name: string): InProcessConnection | undefined {
    const existing = this.#connections.get(name);
    if (existing !== undefined) return existing;
    const connection = this.#servers.get(name)?.connect((message) => this.#send(name, message));
    if (connection !== undefined) this.#connections.set(name, connection);
    return connection;
  }
}

/** The CLI hangs on a response with another id or another shape, so it never gets one. */
function checkedResponse(response: JsonRpcMessage | undefined, id: string | number): JsonRpcMessage {
  const hasOutcome = isObject(response?.result) || isObject(response?.error);
  if (response?.jsonrpc === "2.0" && response.id === id && hasOutcome) return response;
  return internalError(id, "the server gave no valid response");
}

function internalError(id: string | number, message: string): JsonRpcMessage {
  return { jsonrpc: "2.0", id, error: { code: -32603, message } };
}

function isJsonRpc(message: unknown): message is JsonRpcMessage {
  return isObject(message) && "jsonrpc" in message && message.jsonrpc === "2.0";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
