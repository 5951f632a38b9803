import type { McpSdkServerConfig, McpSdkServerSettings, McpServerManifest } from "@reins/messages";
import { type Answer, type RequestContext, type RequestHandler, textOf } from "./inbound-requests.ts";
import { captureManifest } from "./mcp-manifest.ts";
import { serverNamesProblem } from "./mcp-server-names.ts";
import { startTimer } from "./timer.ts";

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
   * @param session What is known of the session, to be read when it is needed.
   */
  connect(send: (message: JsonRpcMessage) => void, session: McpSession): InProcessConnection;
  /** What the CLI is told of the server beside its name, under the names of the wire. */
  readonly settings?: McpSdkServerSettings;
}

/** What an {@link InProcessServer} may know of a session. */
export interface McpSession {
  /** Id of the session, as the CLI said it last; `undefined` before the first turn. */
  readonly sessionId: string | undefined;
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
  #servers: ReadonlyMap<string, InProcessServer>;
  readonly #connections = new Map<string, InProcessConnection>();
  readonly #send: (serverName: string, message: JsonRpcMessage) => void;
  readonly #session: McpSession;
  #isClosed = false;

  /**
   * @param send Sends a message of a server to the CLI.
   * @throws TypeError for names that the CLI cannot tell apart, or hides.
   */
  constructor(
    servers: Readonly<Record<string, InProcessServer>>,
    send: (serverName: string, message: JsonRpcMessage) => void,
    session: McpSession,
  ) {
    this.#servers = serversByName(servers);
    this.#send = send;
    this.#session = session;
  }

  /** Names of the servers, for the initialize request. */
  get names(): readonly string[] {
    return [...this.#servers.keys()];
  }

  /** The servers as `mcp_set_servers` takes them. */
  get configs(): Readonly<Record<string, McpSdkServerConfig>> {
    // Not by assignment, which would lose a server that is called __proto__.
    return Object.fromEntries(
      [...this.#servers].map(([name, { settings }]) => [name, { ...settings, type: "sdk", name }]),
    );
  }

  /** The settings of the servers that have some, as `sdkMcpServerConfigs` takes them; `undefined` for none. */
  get settings(): Readonly<Record<string, McpSdkServerSettings>> | undefined {
    const settings = [...this.#servers].flatMap(([name, { settings = {} }]) =>
      Object.keys(settings).length === 0 ? [] : [[name, settings] as const],
    );
    return settings.length === 0 ? undefined : Object.fromEntries(settings);
  }

  /**
   * Shakes hands with the servers in the CLI's stead, which saves it the round trips, and gives what they said as
   * `sdkMcpServerManifests` takes it. A server that fails, or needs more than the time, is left out: the CLI will ask it.
   */
  async captureManifests(timeoutMs: number): Promise<Readonly<Record<string, McpServerManifest>> | undefined> {
    let isLate = false;
    let stopWaiting = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      stopWaiting = startTimer(timeoutMs, () => {
        isLate = true;
        resolve(undefined);
      });
    });
    const captures = this.names.map(async (name) => {
      const manifest = await Promise.race([
        late,
        captureManifest(
          () => this.#connection(name),
          () => isLate,
        ),
      ]);
      return manifest === undefined ? [] : [[name, manifest] as const];
    });
    const manifests = (await Promise.all(captures)).flat();
    stopWaiting();
    return manifests.length === 0 ? undefined : Object.fromEntries(manifests);
  }

  /** Serves `mcp_message`. A message that could not be answered is answered with an error, else the CLI waits for its own timeout. */
  get handler(): RequestHandler {
    return {
      handle: (request, context) => this.#handle(textOf(request["server_name"]), request["message"], context),
    };
  }

  /**
   * Serves other servers from now on. Sessions with servers that are not among them end.
   *
   * @throws TypeError as the constructor does, and leaves all as it was.
   */
  replace(servers: Readonly<Record<string, InProcessServer>>): void {
    const before = this.#servers;
    this.#servers = serversByName(servers);
    for (const [name, connection] of [...this.#connections]) {
      if (before.get(name) === this.#servers.get(name)) continue;
      this.#connections.delete(name);
      closeQuietly(connection);
    }
  }

  /** Ends the sessions with all servers, and begins no more. */
  close(): void {
    this.#isClosed = true;
    const connections = [...this.#connections.values()];
    this.#connections.clear();
    for (const connection of connections) closeQuietly(connection);
  }

  async #handle(serverName: string, message: unknown, context: RequestContext): Promise<Answer> {
    const connection = this.#connection(serverName);
    if (connection === undefined) return { kind: "error", error: `SDK MCP server not found: ${serverName}` };
    if (!isJsonRpc(message)) return { kind: "error", error: "mcp_message carries no JSON-RPC message" };
    if (message.method === undefined || message.id == null) {
      await connection.handle(message);
      // Whatever needs no response is acknowledged all the same: the CLI waits for it.
      return { kind: "success", response: { mcp_response: { jsonrpc: "2.0", result: {}, id: 0 } } };
    }
    const id = message.id;
    const cancel = async (): Promise<void> => {
      try {
        await connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      } catch {
        // Nobody waits for this.
      }
    };
    context.onWithdrawn = () => void cancel();
    try {
      const response = await connection.handle(message);
      return { kind: "success", response: { mcp_response: checkedResponse(response, id) } };
    } catch (error) {
      return { kind: "success", response: { mcp_response: internalError(id, textOf(error)) } };
    } finally {
      context.onWithdrawn = undefined;
    }
  }

  #connection(name: string): InProcessConnection | undefined {
    const existing = this.#connections.get(name);
    if (existing !== undefined || this.#isClosed) return existing;
    const connection = this.#servers.get(name)?.connect((message) => this.#send(name, message), this.#session);
    if (connection !== undefined) this.#connections.set(name, connection);
    return connection;
  }
}

function serversByName(servers: Readonly<Record<string, InProcessServer>>): ReadonlyMap<string, InProcessServer> {
  const names = Object.keys(servers);
  const problem = serverNamesProblem(names, names);
  if (problem !== undefined) throw new TypeError(`mcpServers ${problem}`);
  return new Map(Object.entries(servers));
}

function closeQuietly(connection: InProcessConnection): void {
  try {
    connection.close();
  } catch {
    // The session is over, and the other servers still have to be closed.
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
