import type {
  AssistantBlock,
  Base64Source,
  CompactionBlock,
  ContainerUploadBlock,
  ContentBlock,
  ContentSource,
  DocumentBlock,
  FileSource,
  ImageBlock,
  McpToolUseBlock,
  RedactedThinkingBlock,
  SearchResultBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  TextSource,
  ThinkingBlock,
  ToolReferenceBlock,
  ToolResultBlock,
  ToolResultContent,
  ToolUseBlock,
  UnparsedToolInput,
  UrlSource,
  UserBlock,
} from "@reins/messages";
import * as z from "zod";
import { kinds, openKinds } from "./kinds.ts";
import { jsonObject } from "./open.ts";
import { loose, pinned } from "./pinned.ts";

/** Schema of {@link TextBlock}. */
export const textBlockSchema: z.ZodType<TextBlock> = loose({
  type: z.literal("text"),
  text: z.string(),
  citations: z.array(z.unknown()).nullable().exactOptional(),
  cache_control: z.unknown().exactOptional(),
});

/** Schema of {@link ThinkingBlock}. */
export const thinkingBlockSchema: z.ZodType<ThinkingBlock> = loose({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string(),
});

/** Schema of {@link RedactedThinkingBlock}. */
export const redactedThinkingBlockSchema: z.ZodType<RedactedThinkingBlock> = loose({
  type: z.literal("redacted_thinking"),
  data: z.string(),
});

/** Schema of {@link ToolUseBlock}. */
export const toolUseBlockSchema: z.ZodType<ToolUseBlock> = loose({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: jsonObject,
  caller: z.unknown().exactOptional(),
});

/** Schema of {@link ServerToolUseBlock}. */
export const serverToolUseBlockSchema: z.ZodType<ServerToolUseBlock> = loose({
  type: z.literal("server_tool_use"),
  id: z.string(),
  name: z.string(),
  input: jsonObject,
  caller: z.unknown().exactOptional(),
});

/** Schema of {@link McpToolUseBlock}. */
export const mcpToolUseBlockSchema: z.ZodType<McpToolUseBlock> = loose({
  type: z.literal("mcp_tool_use"),
  id: z.string(),
  name: z.string(),
  server_name: z.string(),
  input: jsonObject,
});

/** Schema of {@link ServerToolResultBlock}. */
export const serverToolResultBlockSchema: z.ZodType<ServerToolResultBlock> = loose({
  type: z.enum([
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "mcp_tool_result",
    "tool_search_tool_result",
    "advisor_tool_result",
  ]),
  tool_use_id: z.string(),
  content: z.unknown(),
  is_error: z.boolean().exactOptional(),
});

/** Schema of {@link ContainerUploadBlock}. */
export const containerUploadBlockSchema: z.ZodType<ContainerUploadBlock> = loose({
  type: z.literal("container_upload"),
  file_id: z.string(),
});

/** Schema of {@link CompactionBlock}. */
export const compactionBlockSchema: z.ZodType<CompactionBlock> = loose({
  type: z.literal("compaction"),
  content: z.string().nullable(),
});

const assistantBlocks = [
  textBlockSchema,
  thinkingBlockSchema,
  redactedThinkingBlockSchema,
  toolUseBlockSchema,
  serverToolUseBlockSchema,
  mcpToolUseBlockSchema,
  serverToolResultBlockSchema,
  containerUploadBlockSchema,
  compactionBlockSchema,
] as const;

/** Schema of {@link AssistantBlock}. */
export const assistantBlockSchema: z.ZodType<AssistantBlock> = pinned(openKinds("type", assistantBlocks));

/** Schema of {@link Base64Source}. */
export const base64SourceSchema: z.ZodType<Base64Source> = loose({
  type: z.literal("base64"),
  media_type: z.string(),
  data: z.string(),
});

/** Schema of {@link UrlSource}. */
export const urlSourceSchema: z.ZodType<UrlSource> = loose({ type: z.literal("url"), url: z.string() });

/** Schema of {@link FileSource}. */
export const fileSourceSchema: z.ZodType<FileSource> = loose({ type: z.literal("file"), file_id: z.string() });

/** Schema of {@link ImageBlock}. */
export const imageBlockSchema: z.ZodType<ImageBlock> = loose({
  type: z.literal("image"),
  source: kinds("type", [base64SourceSchema, urlSourceSchema, fileSourceSchema]),
  cache_control: z.unknown().exactOptional(),
});

/** Schema of {@link TextSource}. */
export const textSourceSchema: z.ZodType<TextSource> = loose({
  type: z.literal("text"),
  media_type: z.literal("text/plain"),
  data: z.string(),
});

/** Schema of {@link ContentSource}. */
export const contentSourceSchema: z.ZodType<ContentSource> = loose({
  type: z.literal("content"),
  content: z.union([z.string(), z.array(kinds("type", [textBlockSchema, imageBlockSchema]))]),
});

/** Schema of {@link DocumentBlock}. */
export const documentBlockSchema: z.ZodType<DocumentBlock> = loose({
  type: z.literal("document"),
  source: kinds("type", [base64SourceSchema, urlSourceSchema, fileSourceSchema, textSourceSchema, contentSourceSchema]),
  title: z.string().nullable().exactOptional(),
  context: z.string().nullable().exactOptional(),
  citations: z.looseObject({ enabled: z.boolean().exactOptional() }).nullable().exactOptional(),
  cache_control: z.unknown().exactOptional(),
});

/** Schema of {@link SearchResultBlock}. */
export const searchResultBlockSchema: z.ZodType<SearchResultBlock> = loose({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlockSchema),
  citations: z.looseObject({ enabled: z.boolean().exactOptional() }).exactOptional(),
  cache_control: z.unknown().exactOptional(),
});

/** Schema of {@link ToolReferenceBlock}. */
export const toolReferenceBlockSchema: z.ZodType<ToolReferenceBlock> = loose({
  type: z.literal("tool_reference"),
  tool_name: z.string(),
});

/** Schema of {@link ToolResultContent}. */
export const toolResultContentSchema: z.ZodType<ToolResultContent> = pinned(
  openKinds("type", [
    textBlockSchema,
    imageBlockSchema,
    documentBlockSchema,
    searchResultBlockSchema,
    toolReferenceBlockSchema,
  ]),
);

/** Schema of {@link ToolResultBlock}. */
export const toolResultBlockSchema: z.ZodType<ToolResultBlock> = loose({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(toolResultContentSchema)]).exactOptional(),
  is_error: z.boolean().exactOptional(),
  cache_control: z.unknown().exactOptional(),
});

/** Schema of {@link UserBlock}. */
export const userBlockSchema: z.ZodType<UserBlock> = pinned(
  openKinds("type", [
    textBlockSchema,
    imageBlockSchema,
    documentBlockSchema,
    searchResultBlockSchema,
    toolResultBlockSchema,
  ]),
);

/** Schema of {@link ContentBlock}. */
export const contentBlockSchema: z.ZodType<ContentBlock> = pinned(
  openKinds("type", [
    ...assistantBlocks,
    imageBlockSchema,
    documentBlockSchema,
    searchResultBlockSchema,
    toolResultBlockSchema,
    toolReferenceBlockSchema,
  ]),
);

/** Schema of {@link UnparsedToolInput}. */
export const unparsedToolInputSchema: z.ZodType<UnparsedToolInput> = loose({
  __unparsedToolInput: z.looseObject({ raw: z.string(), len: z.number() }),
});
