import type { UnknownValue } from "./open.ts";

/** A block of an assistant message. */
export type AssistantBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | McpToolUseBlock
  | ServerToolResultBlock
  | ContainerUploadBlock
  | CompactionBlock
  | UnknownBlock;

/** A block of a user message: what a host may send, and the results of tools. */
export type UserBlock = TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolResultBlock | UnknownBlock;

/** Any block. */
export type ContentBlock = AssistantBlock | UserBlock | ToolReferenceBlock;

/** Text. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  /** Where the text comes from; location objects as the API wrote them. */
  readonly citations?: readonly unknown[] | null;
  /** Set by a host that steers the prompt cache. */
  readonly cache_control?: unknown;
}

/** The model's thinking. `thinking` is empty where the API keeps the text back. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  /** Opaque; proves to the API that the block is its own. */
  readonly signature: string;
}

/** Thinking that only the API can read. */
export interface RedactedThinkingBlock {
  readonly type: "redacted_thinking";
  readonly data: string;
}

/**
 * The model calls a tool. `input` is normalised by the CLI: defaults may be added, keys reordered. Input that was no JSON is
 * {@link UnparsedToolInput}. [verified on CLI 2.1.328]
 */
export interface ToolUseBlock {
  readonly type: "tool_use";
  /** Matches `tool_use_id` of the result. */
  readonly id: string;
  /** Name as the model used it: `Bash`, `mcp__server__tool`; a subagent is `Agent` or `Task`. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller?: unknown;
}

/** The `input` of a tool use whose JSON was cut off or broken. */
export interface UnparsedToolInput {
  readonly __unparsedToolInput: {
    /** What the model wrote, perhaps shortened. */
    readonly raw: string;
    /** Length of the whole. */
    readonly len: number;
  };
}

/** The API runs a tool itself, such as a web search. */
export interface ServerToolUseBlock {
  readonly type: "server_tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller?: unknown;
}

/** The API calls a tool of an MCP server itself. Declared, never seen from the CLI. */
export interface McpToolUseBlock {
  readonly type: "mcp_tool_use";
  readonly id: string;
  readonly name: string;
  readonly server_name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a tool of the API gave: an array of result blocks, or an object that tells the error. */
export interface ServerToolResultBlock {
  readonly type:
    | "web_search_tool_result"
    | "web_fetch_tool_result"
    | "code_execution_tool_result"
    | "bash_code_execution_tool_result"
    | "text_editor_code_execution_tool_result"
    | "mcp_tool_result"
    | "tool_search_tool_result"
    | "advisor_tool_result";
  readonly tool_use_id: string;
  readonly content: unknown;
  readonly is_error?: boolean;
}

/** A file that the API put into a container. */
export interface ContainerUploadBlock {
  readonly type: "container_upload";
  readonly file_id: string;
}

/** A summary that the API made of the conversation so far. */
export interface CompactionBlock {
  readonly type: "compaction";
  readonly content: string | null;
}

/** What a tool gave. `content` is text, blocks, or absent; errors of the CLI are text in `<tool_use_error>` tags. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  /** `id` of the {@link ToolUseBlock}. */
  readonly tool_use_id: string;
  readonly content?: string | ToolResultContent[];
  /** Absent counts as false. */
  readonly is_error?: boolean;
  readonly cache_control?: unknown;
}

/** A block within a tool result. */
export type ToolResultContent =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ToolReferenceBlock
  | UnknownBlock;

/** Names a tool that ToolSearch found. */
export interface ToolReferenceBlock {
  readonly type: "tool_reference";
  readonly tool_name: string;
}

/** An image: PNG, JPEG, GIF or WebP. */
export interface ImageBlock {
  readonly type: "image";
  readonly source: Base64Source | UrlSource | FileSource;
  readonly cache_control?: unknown;
}

/** A document: PDF, text, or blocks. */
export interface DocumentBlock {
  readonly type: "document";
  readonly source: Base64Source | UrlSource | FileSource | TextSource | ContentSource;
  readonly title?: string | null;
  readonly context?: string | null;
  readonly citations?: { readonly enabled?: boolean } | null;
  readonly cache_control?: unknown;
}

/** A passage found by a search, so that the model can cite it. */
export interface SearchResultBlock {
  readonly type: "search_result";
  readonly source: string;
  readonly title: string;
  readonly content: TextBlock[];
  readonly citations?: { readonly enabled?: boolean };
  readonly cache_control?: unknown;
}

/** Bytes as base64. */
export interface Base64Source {
  readonly type: "base64";
  /** MIME type, such as `image/png` or `application/pdf`. */
  readonly media_type: string;
  readonly data: string;
}

/** Bytes that the API fetches. */
export interface UrlSource {
  readonly type: "url";
  readonly url: string;
}

/** A file that was uploaded to the API. */
export interface FileSource {
  readonly type: "file";
  readonly file_id: string;
}

/** Plain text as a document. */
export interface TextSource {
  readonly type: "text";
  readonly media_type: "text/plain";
  readonly data: string;
}

/** Blocks as a document. */
export interface ContentSource {
  readonly type: "content";
  readonly content: string | (TextBlock | ImageBlock)[];
}

/** A block that this package does not know, as the API or a host wrote it. Its other fields: {@link fieldsOf}. */
export interface UnknownBlock {
  readonly type: UnknownValue;
}
