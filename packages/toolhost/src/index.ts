// The public surface of @reins/toolhost, by name.
export type { CallContext, LogLevel, ToolContext, ToolLog, ToolProgress, ToolReport } from "./call-context.ts";
export type { ContentBlock, ResourceContents } from "./content-block.ts";
export { ToolDefinitionError } from "./errors.ts";
export type { ArgumentsOf, InputSchema } from "./input-schema.ts";
export type { JsonRpcId, JsonRpcMessage } from "./json-rpc.ts";
export type { JsonSchema } from "./json-schema-check.ts";
export { McpServerInUseError } from "./mcp/errors.ts";
export { fromMcpServer, type McpServerAdapter } from "./mcp/from-mcp-server.ts";
export type { McpServerInstance } from "./mcp/mcp-server-instance.ts";
export type { PromptArgument, PromptDefinition, PromptMessage, PromptReturn } from "./prompts.ts";
export type { Flat, RawShape, ShapeOutput } from "./raw-shape.ts";
export type { ResourceDefinition, ResourceReturn } from "./resources.ts";
export type { OutputOf, StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
export {
  type ToolAnnotations,
  type ToolDefinition,
  type ToolExtras,
  type ToolHandler,
  type ToolOptions,
  type ToolReturn,
  tool,
} from "./tool.ts";
export type { SessionInfo, ToolConnection } from "./tool-connection.ts";
export { type CallToolResult, type ContentResult, type ToolResultHelpers, toolResult } from "./tool-result.ts";
export {
  createSdkMcpServer,
  createToolServer,
  type ToolServer,
  type ToolServerOptions,
  type ToolServerSettings,
} from "./tool-server.ts";
