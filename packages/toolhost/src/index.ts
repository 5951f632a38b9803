// The public surface of @reins/toolhost, by name.
export type { ContentBlock, ResourceContents } from "./content-block.ts";
export { ToolDefinitionError } from "./errors.ts";
export type { ArgumentsOf, InputSchema } from "./input-schema.ts";
export type { JsonRpcId, JsonRpcMessage } from "./json-rpc.ts";
export type { JsonSchema } from "./json-schema-check.ts";
export type { Flat, RawShape, ShapeOutput } from "./raw-shape.ts";
export type { OutputOf, StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
export {
  type ToolAnnotations,
  type ToolContext,
  type ToolDefinition,
  type ToolExtras,
  type ToolHandler,
  type ToolReturn,
  tool,
} from "./tool.ts";
export type { ToolConnection } from "./tool-connection.ts";
export type { CallToolResult } from "./tool-result.ts";
export {
  createToolServer,
  createToolServer as createSdkMcpServer,
  type ToolServer,
  type ToolServerOptions,
} from "./tool-server.ts";
