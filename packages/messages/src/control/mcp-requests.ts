import type { McpServerConfig, McpServerStatus, McpSetServersResult } from "../mcp.ts";
import type { Acknowledged } from "./acknowledged.ts";
import type { McpMessageRequest } from "./inbound.ts";

/** Requests about MCP servers, by subtype. */
export interface McpRequests {
  readonly mcp_status: {
    readonly request: { readonly subtype: "mcp_status"; readonly liveReply?: boolean | undefined };
    readonly response: { readonly mcpServers: McpServerStatus[] };
  };
  /** Replaces the servers of earlier calls and all servers of the host; those of `--mcp-config` stay. */
  readonly mcp_set_servers: {
    readonly request: {
      readonly subtype: "mcp_set_servers";
      readonly servers: Readonly<Record<string, McpServerConfig>>;
    };
    readonly response: McpSetServersResult;
  };
  /** Not for servers of the host. */
  readonly mcp_reconnect: {
    readonly request: { readonly subtype: "mcp_reconnect"; readonly serverName: string };
    readonly response: Acknowledged;
  };
  readonly mcp_toggle: {
    readonly request: { readonly subtype: "mcp_toggle"; readonly serverName: string; readonly enabled: boolean };
    readonly response: Acknowledged;
  };
  /** Calls a tool without the model. Not for servers of the host. Can be cancelled. */
  readonly mcp_call: { readonly request: McpCallRequest; readonly response: McpCallResponse };
  readonly mcp_read_resource: {
    readonly request: {
      readonly subtype: "mcp_read_resource";
      readonly serverName: string;
      /** Begins with `ui://`. */
      readonly uri: string;
    };
    readonly response: { readonly contents: McpResourceContents[] };
  };
  /** A message of a server in the host to the CLI. What the CLI answers comes as a request of its own. */
  readonly mcp_message: { readonly request: McpMessageRequest; readonly response: Acknowledged };
}

/** Calls a tool of an MCP server. */
export interface McpCallRequest {
  readonly subtype: "mcp_call";
  /** `mcp__server__tool`. */
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly timeout_ms?: number | undefined;
  /** ISO 8601. */
  readonly expires_at?: string | undefined;
  /** True asks rules, hooks and the host first. An older CLI does not know it and runs the tool. Default false. */
  readonly check_permissions?: boolean | undefined;
  /** True gives the blocks as they are, instead of a text made for a model. Default false. */
  readonly result_not_for_model?: boolean | undefined;
  readonly input_files?: readonly { readonly name: string; readonly lane_path: string }[] | undefined;
  readonly output_files?:
    | readonly { readonly name: string; readonly lane_path: string; readonly if_match?: string | undefined }[]
    | undefined;
}

/** What the tool gave. */
export interface McpCallResponse {
  readonly content: unknown;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** With a time limit or files. */
  readonly staging?: { readonly ok: boolean; readonly outputs: unknown[]; readonly inputs_used: unknown[] };
}

/** A resource of an MCP server. */
export interface McpResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
