import { textOfThrown } from "../handler-result.ts";
import { isRecord } from "../json.ts";
import { errorMessage, invalidRequest, isJsonRpcId, type JsonRpcId, type JsonRpcMessage } from "../json-rpc.ts";
import type { McpServerInstance } from "./mcp-server-instance.ts";

const internalError = -32603;

/**
 * One connection of a server of the MCP SDK: a transport to the server, a function from request to response to the other side.
 *
 * The server may send its responses in any order, and need not respond to a request that was cancelled; `ask` settles all the same.
 */
export class McpLink {
  onclose: (() => void) | undefined;
  /** Never called: nothing fails here that the other side is not told. */
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: JsonRpcMessage) => void) | undefined;
  readonly #instance: McpServerInstance;
  readonly #tell: (message: JsonRpcMessage) => void;
  #pending = new Map<JsonRpcId, (response: JsonRpcMessage | undefined) => void>();
  /** Why nothing can be asked, from the connection's end on. */
  #end: string | undefined;
  /** Gives why the server could not be connected, or `undefined`. Never rejects. */
  readonly #connected: Promise<string | undefined>;

  /**
   * @param free The instance is connected when this settles.
   * @param tell Takes what the server sends unasked: notifications and requests.
   */
  constructor(instance: McpServerInstance, free: Promise<void>, tell: (message: JsonRpcMessage) => void) {
    this.#instance = instance;
    this.#tell = tell;
    this.#connected = free.then(() => instance.connect(this as never)).then(() => undefined, textOfThrown);
  }

  /** Gives a request to the server; `undefined` when the connection ended before the response. Never rejects. */
  async ask(id: JsonRpcId, request: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    if (this.#end !== undefined) return errorMessage(id, internalError, this.#end);
    // The server could not tell the two apart either, and would abort the wrong one.
    if (this.#pending.has(id)) return errorMessage(id, invalidRequest, "The id of the request is in use");
    const response = new Promise<JsonRpcMessage | undefined>((resolve) => this.#pending.set(id, resolve));
    // Not waited for: a server that never connects must not keep what ends without it.
    void this.#deliver(request).then((problem) => {
      if (problem !== undefined) this.#settle(id, errorMessage(id, internalError, problem));
    });
    return response;
  }

  /** Gives a notification or a response to the server. Never rejects. */
  async inform(message: JsonRpcMessage): Promise<void> {
    await this.#deliver(message);
    const cancelled = message.method === "notifications/cancelled" && isRecord(message.params);
    const id = cancelled ? (message.params as Record<string, unknown>)["requestId"] : undefined;
    // The server does not respond to what was cancelled.
    if (isJsonRpcId(id)) this.#settle(id, errorMessage(id, internalError, "The request was cancelled."));
  }

  /** Ends the connection: what the server runs is aborted, and what was asked gives `undefined`. Settles when the server has closed. */
  async finish(): Promise<void> {
    const isFirst = this.#close("The session ended.", () => undefined);
    const problem = await this.#connected;
    // A server that could not be connected may be connected elsewhere, and is not ours to close.
    if (!isFirst || problem !== undefined) return;
    try {
      await this.#instance.close();
    } catch {
      // Nobody is left to be told.
    }
  }

  // What follows is for the server: the SDK's `Transport`.

  async start(): Promise<void> {}

  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#end !== undefined) return;
    const { id } = message;
    if (message.method !== undefined) this.#tell(message);
    else if (isJsonRpcId(id)) this.#settle(id, checkedResponse(id, message));
  }

  async close(): Promise<void> {
    const text = "The MCP server has closed its connection.";
    this.#close(text, (id) => errorMessage(id, internalError, text));
  }

  /** Gives why the message did not reach the server, or `undefined`. */
  async #deliver(message: JsonRpcMessage): Promise<string | undefined> {
    const problem = (await this.#connected) ?? this.#end;
    if (problem !== undefined) return problem;
    try {
      this.onmessage?.(message);
      return undefined;
    } catch (error) {
      return textOfThrown(error);
    }
  }

  #settle(id: JsonRpcId, response: JsonRpcMessage | undefined): void {
    const resolve = this.#pending.get(id);
    this.#pending.delete(id);
    resolve?.(response);
  }

  /** Gives whether this ended the connection. */
  #close(reason: string, responseTo: (id: JsonRpcId) => JsonRpcMessage | undefined): boolean {
    if (this.#end !== undefined) return false;
    this.#end = reason;
    const pending = this.#pending;
    this.#pending = new Map();
    for (const [id, resolve] of pending) resolve(responseTo(id));
    try {
      // The server aborts what it runs.
      this.onclose?.();
    } catch {
      // A listener of the server's owner; the connection is over all the same.
    }
    return true;
  }
}

/** The CLI would wait without limit on a response of another shape. */
function checkedResponse(id: JsonRpcId, response: JsonRpcMessage): JsonRpcMessage {
  if (isRecord(response.result) || isRecord(response.error)) return response;
  return errorMessage(id, internalError, "The MCP server gave no valid response.");
}
