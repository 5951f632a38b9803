/**
 * A server made with the MCP SDK: an `McpServer`, a `Server`, or anything of that shape. Nothing of the SDK is imported for it, so it may
 * come from any version that connects to a transport of the SDK's shape (tried: 1.32.2).
 */
export interface McpServerInstance {
  /** Begins to serve over a transport: an object with `start`, `send`, `close`, `onmessage`, `onclose` and `onerror`, as the SDK has it. */
  // The SDK's types of a transport depend on its version and on zod; whatever it takes, it is what it gets.
  connect(transport: never): Promise<void>;
  /** Ends the connection, and closes the transport. */
  close(): Promise<void>;
}

/** Whether a value is a server of the MCP SDK, by its shape. A server of this package has `connect`, but no `close`. */
export function isMcpServerInstance(value: unknown): value is McpServerInstance {
  if (typeof value !== "object" || value === null) return false;
  const { connect, close } = value as { connect?: unknown; close?: unknown };
  return typeof connect === "function" && typeof close === "function";
}
