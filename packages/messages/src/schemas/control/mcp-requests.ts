import type { McpCallRequest, McpCallResponse, McpRequests, McpResourceContents } from "@reins/messages";
import * as z from "zod";
import { mcpServerConfigSchema, mcpServerStatusSchema, mcpSetServersResultSchema } from "../mcp.ts";
import { jsonObject } from "../open.ts";
import { loose } from "../pinned.ts";
import type { RequestSchemas } from "../tables.ts";
import { acknowledgedSchema } from "./acknowledged.ts";
import { mcpMessageRequestSchema } from "./inbound.ts";

/** Schema of {@link McpCallRequest}. */
export const mcpCallRequestSchema: z.ZodType<McpCallRequest> = loose({
  subtype: z.literal("mcp_call"),
  tool: z.string(),
  arguments: jsonObject.optional(),
  timeout_ms: z.number().optional(),
  expires_at: z.string().optional(),
  check_permissions: z.boolean().optional(),
  result_not_for_model: z.boolean().optional(),
  input_files: z.array(z.looseObject({ name: z.string(), lane_path: z.string() })).optional(),
  output_files: z
    .array(z.looseObject({ name: z.string(), lane_path: z.string(), if_match: z.string().optional() }))
    .optional(),
});

/** Schema of {@link McpCallResponse}. */
export const mcpCallResponseSchema: z.ZodType<McpCallResponse> = loose({
  content: z.unknown(),
  structuredContent: z.unknown().exactOptional(),
  _meta: jsonObject.exactOptional(),
  staging: z
    .looseObject({ ok: z.boolean(), outputs: z.array(z.unknown()), inputs_used: z.array(z.unknown()) })
    .exactOptional(),
});

/** Schema of {@link McpResourceContents}. */
export const mcpResourceContentsSchema: z.ZodType<McpResourceContents> = loose({
  uri: z.string(),
  mimeType: z.string().exactOptional(),
  text: z.string().exactOptional(),
  blob: z.string().exactOptional(),
  _meta: jsonObject.exactOptional(),
});

/** Schemas of {@link McpRequests}: request and response, by subtype. */
export const mcpRequestSchemas: RequestSchemas<McpRequests> = {
  mcp_status: {
    request: loose({ subtype: z.literal("mcp_status"), liveReply: z.boolean().optional() }),
    response: loose({ mcpServers: z.array(mcpServerStatusSchema) }),
  },
  mcp_set_servers: {
    request: loose({ subtype: z.literal("mcp_set_servers"), servers: z.record(z.string(), mcpServerConfigSchema) }),
    response: mcpSetServersResultSchema,
  },
  mcp_reconnect: {
    request: loose({ subtype: z.literal("mcp_reconnect"), serverName: z.string() }),
    response: acknowledgedSchema,
  },
  mcp_toggle: {
    request: loose({ subtype: z.literal("mcp_toggle"), serverName: z.string(), enabled: z.boolean() }),
    response: acknowledgedSchema,
  },
  mcp_call: { request: mcpCallRequestSchema, response: mcpCallResponseSchema },
  mcp_read_resource: {
    request: loose({ subtype: z.literal("mcp_read_resource"), serverName: z.string(), uri: z.string() }),
    response: loose({ contents: z.array(mcpResourceContentsSchema) }),
  },
  mcp_message: { request: mcpMessageRequestSchema, response: acknowledgedSchema },
};
