import { createSdkMcpServer as createServer, type ToolServer } from "@reins/toolhost";

/** A tool server with the member that the official SDK's servers have. */
export interface SdkMcpServer extends ToolServer {
  /** The server itself: a copy that keeps `type`, `name` and `instance` alone serves as well. Not an instance of the MCP SDK. */
  readonly instance: ToolServer;
}

/** `createToolServer` under the names of the official Agent SDK: `timeout` is `timeoutMs`. */
export function createSdkMcpServer(options: Parameters<typeof createServer>[0]): SdkMcpServer {
  const server = createServer(options);
  // Not by a spread, which would read the settings now; they change as tools are added.
  return Object.defineProperty(server, "instance", { value: server, enumerable: true }) as SdkMcpServer;
}
