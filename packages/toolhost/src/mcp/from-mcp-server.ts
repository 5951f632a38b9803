import { ToolDefinitionError } from "../errors.ts";
import type { JsonRpcMessage } from "../json-rpc.ts";
import type { ToolConnection } from "../tool-connection.ts";
import type { ToolServerSettings } from "../tool-server.ts";
import { McpConnection } from "./mcp-connection.ts";
import { isMcpServerInstance, type McpServerInstance } from "./mcp-server-instance.ts";

/** A server of the MCP SDK, in the shape of the servers of this package. See {@link fromMcpServer}. */
export interface McpServerAdapter {
  readonly type: "sdk";
  /** The name that the CLI is told. What the server calls itself does not count. */
  readonly name: string;
  /** What the CLI is told of the server beside its name, as given. */
  readonly settings: ToolServerSettings;
  /**
   * Begins a session.
   *
   * @param send Takes what the server tells or asks the client. Default: dropped.
   * @throws {@link McpServerInUseError} when the adapter holds one instance and that is in a session, {@link ToolDefinitionError} when its
   * function gives none.
   */
  connect(send?: (message: JsonRpcMessage) => void): ToolConnection;
}

/**
 * Lets a server that was made with the MCP SDK run in this process, as {@link createToolServer} does with tools: give the result to
 * `mcpServers`. Nothing of the SDK is imported; its servers are known by their shape.
 *
 * An instance of the SDK serves one session at a time: `connect` throws while another session has it, and works again when that has ended.
 * Give a function that creates one where sessions overlap: it is called for each. When a session ends, its instance is closed.
 *
 * @param name Names the server; the model's names for its tools begin with `mcp__NAME__`.
 * @param source An instance of `McpServer` or `Server`, or a function that creates one.
 * @param settings A deadline and permission policies that the CLI keeps. Default: none.
 * @throws {@link ToolDefinitionError} for a name that is empty, and for a source that is neither.
 * @example
 * const files = fromMcpServer("files", () => createFilesServer());
 * query({ prompt, options: { mcpServers: { files } } });
 */
export function fromMcpServer(
  name: string,
  source: McpServerInstance | (() => McpServerInstance),
  settings: ToolServerSettings = {},
): McpServerAdapter {
  if (typeof name !== "string" || name === "") throw new ToolDefinitionError(String(name), "is no name for a server.");
  if (typeof source !== "function") requireInstance(name, source);
  const instanceOf = (): McpServerInstance => {
    if (typeof source !== "function") return source;
    const created: unknown = source();
    requireInstance(name, created);
    return created;
  };
  return {
    type: "sdk",
    name,
    settings,
    connect: (send = () => {}) => {
      const connection = new McpConnection(name, instanceOf(), send);
      return { handle: (message) => connection.handle(message), close: () => connection.close() };
    },
  };
}

function requireInstance(name: string, value: unknown): asserts value is McpServerInstance {
  if (!isMcpServerInstance(value))
    throw new ToolDefinitionError(name, "has no connect() and close(), so it is no server of the MCP SDK.");
}
