import type { McpResourceLink } from "../mcp.ts";
import type { OpenString } from "../open.ts";

/** Lists resources of MCP servers. */
export interface ListMcpResourcesInput {
  /** Default: all servers. */
  readonly server?: string;
}

/** The resources. */
export type ListMcpResourcesOutput = {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
  readonly description?: string;
  readonly server: string;
}[];

/** Lists the tools of MCP servers again. */
export interface RefreshMcpToolsInput {
  /** Default: all servers. */
  readonly server?: string;
}

/** What became of each server. */
export type RefreshMcpToolsOutput = {
  readonly server: string;
  readonly status: OpenString<"refreshed" | "error" | "not_connected">;
  readonly toolCount?: number;
  readonly added?: string[];
  readonly removed?: string[];
  readonly error?: string;
}[];

/** Reads a resource of an MCP server. */
export interface ReadMcpResourceInput {
  readonly server: string;
  readonly uri: string;
}

/** The resource. */
export interface ReadMcpResourceOutput {
  readonly contents: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** Path of the file that has the bytes. */
    readonly blobSavedTo?: string;
  }[];
  readonly error?: string;
}

/** Lists a directory of an MCP server's resources. */
export interface ReadMcpResourceDirInput {
  readonly server: string;
  readonly uri: string;
}

/** What is in the directory. */
export interface ReadMcpResourceDirOutput {
  readonly resources: { readonly uri: string; readonly name: string; readonly mimeType?: string }[];
  readonly error?: string;
}

/**
 * `tool_use_result` of an MCP tool: the content, or an object where the tool gave more than content; for errors a text.
 * [verified on CLI 2.1.328]
 */
export type McpToolOutput = string | McpContent[] | McpStructuredOutput;

/** A block of an MCP tool's result. */
export interface McpContent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What an MCP tool gave beyond content. */
export interface McpStructuredOutput {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** At most 50, or 64 KiB of JSON. */
  readonly resourceLinks?: McpResourceLink[];
}
