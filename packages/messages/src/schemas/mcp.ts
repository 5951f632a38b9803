import type {
  JsonRpcError,
  JsonRpcId,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  McpClaudeAiProxyServerConfig,
  McpHttpServerConfig,
  McpRemoteServerConfig,
  McpResourceLink,
  McpSdkServerConfig,
  McpSdkServerSettings,
  McpServerConfig,
  McpServerStatus,
  McpSetServersResult,
  McpSseServerConfig,
  McpStdioServerConfig,
  McpToolPolicy,
  McpToolStatus,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "./agree.ts";
import { kinds } from "./kinds.ts";
import { jsonObject, open } from "./open.ts";
import { loose, pinned, shape } from "./pinned.ts";
import { mcpConnectionStatusSchema } from "./system/init.ts";

/** Schema of {@link McpStdioServerConfig}. */
export const mcpStdioServerConfigSchema: z.ZodType<McpStdioServerConfig> = loose({
  type: z.literal("stdio").optional(),
  command: z.string(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  timeout: z.number().optional(),
  alwaysLoad: z.boolean().optional(),
});

/** Schema of {@link McpToolPolicy}. */
export const mcpToolPolicySchema: z.ZodType<McpToolPolicy> = loose({
  name: z.string(),
  permission_policy: z.enum(["always_allow", "always_ask", "always_deny"]).optional(),
  org_max_permission: z.enum(["allow", "ask", "blocked"]).optional(),
});

/** Fields of {@link McpRemoteServerConfig}. */
const mcpRemoteServerConfig: Shape<McpRemoteServerConfig> = shape({
  url: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  tools: z.array(mcpToolPolicySchema).optional(),
  timeout: z.number().optional(),
  alwaysLoad: z.boolean().optional(),
});

/** Schema of {@link McpSseServerConfig}. */
export const mcpSseServerConfigSchema: z.ZodType<McpSseServerConfig> = loose({
  ...mcpRemoteServerConfig,
  type: z.literal("sse"),
});

/** Schema of {@link McpHttpServerConfig}. */
export const mcpHttpServerConfigSchema: z.ZodType<McpHttpServerConfig> = loose({
  ...mcpRemoteServerConfig,
  type: z.literal("http"),
});

/** Fields of {@link McpSdkServerSettings}. */
const mcpSdkServerSettings: Shape<McpSdkServerSettings> = shape({
  timeout: z.number().optional(),
  tools: z.array(mcpToolPolicySchema).optional(),
});

/** Schema of {@link McpSdkServerSettings}. */
export const mcpSdkServerSettingsSchema: z.ZodType<McpSdkServerSettings> = loose(mcpSdkServerSettings);

/** Schema of {@link McpSdkServerConfig}. */
export const mcpSdkServerConfigSchema: z.ZodType<McpSdkServerConfig> = loose({
  ...mcpSdkServerSettings,
  type: z.literal("sdk"),
  name: z.string(),
});

/** Schema of {@link McpServerConfig}. */
export const mcpServerConfigSchema: z.ZodType<McpServerConfig> = pinned(
  kinds("type", [
    mcpStdioServerConfigSchema,
    mcpSseServerConfigSchema,
    mcpHttpServerConfigSchema,
    mcpSdkServerConfigSchema,
  ]),
);

/** Schema of {@link McpClaudeAiProxyServerConfig}. */
export const mcpClaudeAiProxyServerConfigSchema: z.ZodType<McpClaudeAiProxyServerConfig> = loose({
  type: z.literal("claudeai-proxy"),
  url: z.string(),
  id: z.string(),
  timeout: z.number().exactOptional(),
});

/** Schema of {@link McpToolStatus}. */
export const mcpToolStatusSchema: z.ZodType<McpToolStatus> = loose({
  name: z.string(),
  description: z.string().exactOptional(),
  annotations: z
    .looseObject({
      readOnly: z.boolean().exactOptional(),
      destructive: z.boolean().exactOptional(),
      openWorld: z.boolean().exactOptional(),
    })
    .exactOptional(),
  _meta: jsonObject.exactOptional(),
});

/** Schema of {@link McpServerStatus}. */
export const mcpServerStatusSchema: z.ZodType<McpServerStatus> = loose({
  name: z.string(),
  status: mcpConnectionStatusSchema,
  serverInfo: z.looseObject({ name: z.string(), version: z.string() }).exactOptional(),
  error: z.string().exactOptional(),
  config: kinds("type", [mcpServerConfigSchema, mcpClaudeAiProxyServerConfigSchema]).exactOptional(),
  transport: open("stdio", "sse", "http", "sdk").exactOptional(),
  scope: z.string().exactOptional(),
  source: z.string().exactOptional(),
  tools: z.array(mcpToolStatusSchema).exactOptional(),
});

/** Schema of {@link McpSetServersResult}. */
export const mcpSetServersResultSchema: z.ZodType<McpSetServersResult> = loose({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  errors: z.record(z.string(), z.string()),
});

/** Schema of {@link McpResourceLink}. */
export const mcpResourceLinkSchema: z.ZodType<McpResourceLink> = loose({
  uri: z.string(),
  name: z.string(),
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  mimeType: z.string().exactOptional(),
  size: z.number().exactOptional(),
  annotations: jsonObject.exactOptional(),
});

/** Schema of {@link JsonRpcId}. */
export const jsonRpcIdSchema: z.ZodType<JsonRpcId> = pinned(z.union([z.string(), z.number()]));

/** Schema of {@link JsonRpcRequest}. */
export const jsonRpcRequestSchema: z.ZodType<JsonRpcRequest> = loose({
  jsonrpc: z.literal("2.0"),
  id: jsonRpcIdSchema,
  method: z.string(),
  params: jsonObject.exactOptional(),
});

/** Schema of {@link JsonRpcNotification}. */
export const jsonRpcNotificationSchema: z.ZodType<JsonRpcNotification> = loose({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: jsonObject.exactOptional(),
});

/** Schema of {@link JsonRpcError}. */
export const jsonRpcErrorSchema: z.ZodType<JsonRpcError> = loose({
  code: z.number(),
  message: z.string(),
  data: z.unknown().exactOptional(),
});

/** Schema of {@link JsonRpcResponse}. */
export const jsonRpcResponseSchema: z.ZodType<JsonRpcResponse> = loose({
  jsonrpc: z.literal("2.0"),
  id: jsonRpcIdSchema,
  result: jsonObject.exactOptional(),
  error: jsonRpcErrorSchema.exactOptional(),
});

/** Schema of {@link JsonRpcMessage}. */
export const jsonRpcMessageSchema: z.ZodType<JsonRpcMessage> = pinned(
  z.union([jsonRpcRequestSchema, jsonRpcNotificationSchema, jsonRpcResponseSchema]),
);
