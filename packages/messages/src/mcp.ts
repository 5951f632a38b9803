import type { OpenString } from "./open.ts";
import type { McpConnectionStatus } from "./system/init.ts";

/** An MCP server, as the CLI is told of it. */
export type McpServerConfig = McpStdioServerConfig | McpSseServerConfig | McpHttpServerConfig | McpSdkServerConfig;

/** A server that the CLI starts. */
export interface McpStdioServerConfig {
  readonly type?: "stdio" | undefined;
  readonly command: string;
  /** Default none. `mcp_set_servers` of CLI 2.1.328 fails without it. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that a call may take. Less than 1,000 is ignored. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Default false. True keeps the tools from being deferred. */
  readonly alwaysLoad?: boolean | undefined;
}

/** A server that the CLI reaches by HTTP with server-sent events. */
export interface McpSseServerConfig extends McpRemoteServerConfig {
  readonly type: "sse";
}

/** A server that the CLI reaches by streamable HTTP. */
export interface McpHttpServerConfig extends McpRemoteServerConfig {
  readonly type: "http";
}

/** What the servers have in common that the CLI reaches by URL. */
export interface McpRemoteServerConfig {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tools?: readonly McpToolPolicy[] | undefined;
  /** Milliseconds that a call may take. Less than 1,000 is ignored. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Default false. True keeps the tools from being deferred. */
  readonly alwaysLoad?: boolean | undefined;
}

/** A server that lives in the host and is served over the control channel. */
export interface McpSdkServerConfig extends McpSdkServerSettings {
  readonly type: "sdk";
  readonly name: string;
}

/** Settings of a server that lives in the host. */
export interface McpSdkServerSettings {
  /** Milliseconds that a call may take. Less than 1,000 is ignored. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Only `always_ask` and `always_deny` have an effect on servers of the host. [verified on CLI 2.1.328] */
  readonly tools?: readonly McpToolPolicy[] | undefined;
}

/** How calls of one tool of a server are permitted. */
export interface McpToolPolicy {
  /** Bare name of the tool. */
  readonly name: string;
  readonly permission_policy?: "always_allow" | "always_ask" | "always_deny" | undefined;
  readonly org_max_permission?: "allow" | "ask" | "blocked" | undefined;
}

/** A server of claude.ai that the CLI reaches by a proxy. Appears in states only. */
export interface McpClaudeAiProxyServerConfig {
  readonly type: "claudeai-proxy";
  readonly url: string;
  readonly id: string;
  readonly timeout?: number;
}

/** How a server does, as `mcp_status` tells it. */
export interface McpServerStatus {
  readonly name: string;
  readonly status: McpConnectionStatus;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly error?: string;
  /** Absent for servers of the host. */
  readonly config?: McpServerConfig | McpClaudeAiProxyServerConfig;
  readonly transport?: OpenString<"stdio" | "sse" | "http" | "sdk">;
  readonly scope?: string;
  readonly source?: string;
  readonly tools?: McpToolStatus[];
}

/** A tool of a server. */
export interface McpToolStatus {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: { readonly readOnly?: boolean; readonly destructive?: boolean; readonly openWorld?: boolean };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What became of a set of servers. A server that failed to connect is in `added` and in `errors`. */
export interface McpSetServersResult {
  readonly added: string[];
  readonly removed: string[];
  /** Texts by server. */
  readonly errors: Readonly<Record<string, string>>;
}

/** A link to a resource that an MCP tool gave. */
export interface McpResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** A message of JSON-RPC 2.0: a request, a notification, or a response. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** Id of a request. 0 is the first that the CLI uses, so test for absence and never for truth. */
export type JsonRpcId = string | number;

/** A request; wants a response. */
export interface JsonRpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A notification; wants none. */
export interface JsonRpcNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A response: `result` or `error`. */
export interface JsonRpcResponse {
  readonly jsonrpc: "2.0";
  readonly id: JsonRpcId;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: JsonRpcError;
}

/** Why a request failed. */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
