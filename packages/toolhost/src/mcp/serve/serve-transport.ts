import { AsyncLocalStorage } from "node:async_hooks";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "../../json.ts";
import { isJsonRpcId, type JsonRpcId, type JsonRpcMessage } from "../../json-rpc.ts";
import type { ToolConnection } from "../../tool-connection.ts";

/** What can be served to other clients: what `createToolServer` and `fromMcpServer` give. */
export interface ServedServer {
  /** Begins a session with a client. `send` takes what the server tells the client unasked. */
  connect(send: (message: JsonRpcMessage) => void): ToolConnection;
}

/** How a session is served. */
export interface SessionOptions {
  /**
   * Whether a request that the client cancelled is answered. It should not be, but a stream of HTTP ends with the answer only.
   */
  readonly answersCancelled: boolean;
  readonly onError: (error: Error) => void;
  /** Told once when the session has ended. */
  readonly onEnd: () => void;
}

/**
 * Lets a session with a server answer what comes over a transport of the MCP SDK. The transport's end ends the session, not the other way
 * round; the caller starts the transport.
 */
export function serveTransport(server: ServedServer, transport: Transport, options: SessionOptions): void {
  // Which request is being served where a message leaves: over HTTP it belongs on that request's stream.
  const serving = new AsyncLocalStorage<JsonRpcId>();
  const cancelled = new Set<unknown>();
  const running = new Set<JsonRpcId>();
  // One after the other: each message that waits for a full pipe would add a listener of its own to it.
  let lastSent = Promise.resolve();
  const send = (message: JsonRpcMessage, relatedRequestId?: JsonRpcId): void => {
    const related = relatedRequestId === undefined ? {} : { relatedRequestId };
    lastSent = lastSent
      // The SDK's type spells out what each message holds; the server answers for that.
      .then(() => transport.send(message as JSONRPCMessage, related))
      .catch((error: unknown) => options.onError(error instanceof Error ? error : new Error(String(error))));
  };
  const session = server.connect((message) => {
    // What changed about the server as a whole is news beyond the request in which it did.
    const isGeneral = message.method?.endsWith("/list_changed") ?? false;
    send(message, isGeneral ? undefined : serving.getStore());
  });
  const answer = async (id: JsonRpcId, message: JsonRpcMessage): Promise<void> => {
    running.add(id);
    const response = await session.handle(message);
    running.delete(id);
    const isWanted = !cancelled.delete(id) || options.answersCancelled;
    if (response !== undefined && isWanted) send(response);
  };
  transport.onerror = options.onError;
  let isOpen = true;
  transport.onclose = () => {
    if (!isOpen) return;
    isOpen = false;
    session.close();
    options.onEnd();
  };
  transport.onmessage = (parsed) => {
    // The same for what comes: the SDK has checked that it is a message.
    const message = parsed as JsonRpcMessage;
    const { id, method, params } = message;
    if (method !== undefined && isJsonRpcId(id)) {
      void serving.run(id, () => answer(id, message));
      return;
    }
    const requestId = method === "notifications/cancelled" && isRecord(params) ? params["requestId"] : undefined;
    if (isJsonRpcId(requestId) && running.has(requestId)) cancelled.add(requestId);
    void session.handle(message);
  };
}
