import type { JsonRpcMessage } from "./json-rpc.ts";

/**
 * One session of a client with a {@link ToolServer}. Answers every request exactly once and with its own id, whatever the tools do: the
 * CLI waits without limit for an answer that does not come, or comes under another id.
 */
export interface ToolConnection {
  /**
   * Takes a message of the client and gives the response to a request, `undefined` for notifications and responses. Never rejects.
   * Messages may come while others are being answered, and requests are answered in the order in which they end. Needs no `this`.
   *
   * `initialize` may come at any time and begins anew: what ran before is aborted and not answered any more, its promise gives
   * `undefined`.
   */
  readonly handle: (message: JsonRpcMessage) => Promise<JsonRpcMessage | undefined>;
  /** Ends the session: the signals of all running calls abort, and nothing is answered any more, neither they nor what still comes. */
  readonly close: () => void;
}

/** What the host knows of a session. */
export interface SessionInfo {
  /** Read for each call, so it may be a getter of what becomes known later. */
  readonly sessionId?: string | undefined;
}
