import { ReinsError } from "@reins/streamjson";

/** A server of the MCP SDK is asked for a second session at once, and it can hold one. Give `fromMcpServer` a function that creates servers. */
export class McpServerInUseError extends ReinsError {
  readonly code = "REINS_MCP_SERVER_IN_USE" as const;
  /** Name of the server. */
  readonly server: string;

  constructor(server: string) {
    super(
      `The MCP server ${JSON.stringify(server)} is in another session, and an instance of the MCP SDK serves one at a time. ` +
        "Give a function that creates an instance for each session in place of the instance.",
    );
    this.server = server;
  }

  override get name(): string {
    return "McpServerInUseError";
  }
}
