import type {
  CanUseToolRequest,
  ElicitationRequest,
  ElicitationResponse,
  HookCallbackRequest,
  HostAuthTokenRefreshRequest,
  InboundRequest,
  InboundRequests,
  McpMessageRequest,
  McpMessageResponse,
  OauthTokenRefreshRequest,
  UserDialogRequest,
  UserDialogResponse,
} from "@reins/messages";
import * as z from "zod";
import { hookInputSchema } from "../hooks/hook-input.ts";
import { hookOutputSchema } from "../hooks/hook-output.ts";
import { kinds } from "../kinds.ts";
import { jsonRpcMessageSchema, jsonRpcResponseSchema } from "../mcp.ts";
import { jsonObject, open } from "../open.ts";
import {
  decisionReasonTypeSchema,
  mcpServerProvenanceSchema,
  permissionResultSchema,
  permissionUpdateSchema,
} from "../permissions.ts";
import { loose, pinned } from "../pinned.ts";
import type { RequestSchemas } from "../tables.ts";
import { acknowledgedSchema } from "./acknowledged.ts";
import { opaqueInboundRequestSchemas } from "./opaque-requests.ts";
import { requestOf } from "./request-of.ts";

/** Schema of {@link CanUseToolRequest}. */
export const canUseToolRequestSchema: z.ZodType<CanUseToolRequest> = loose({
  subtype: z.literal("can_use_tool"),
  tool_name: z.string(),
  tool_use_id: z.string(),
  input: jsonObject,
  mcp_server: mcpServerProvenanceSchema.exactOptional(),
  permission_suggestions: z.array(permissionUpdateSchema).exactOptional(),
  blocked_path: z.string().exactOptional(),
  decision_reason: z.string().exactOptional(),
  decision_reason_type: decisionReasonTypeSchema.exactOptional(),
  decision_reason_code: z.string().exactOptional(),
  decision_reason_rule_source: z.string().exactOptional(),
  decision_reason_hook_event: z.string().exactOptional(),
  decision_reason_hook_source: z.string().exactOptional(),
  classifier_approvable: z.boolean().exactOptional(),
  matched_ask_rule: z
    .looseObject({ source: z.string(), tool_name: z.string(), rule_content: z.string().exactOptional() })
    .exactOptional(),
  suppress_always_allow_rule: z.boolean().exactOptional(),
  default_to_no: z.boolean().exactOptional(),
  title: z.string().exactOptional(),
  display_name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  agent_id: z.string().exactOptional(),
  requires_user_interaction: z.boolean().exactOptional(),
  server_policy_ask_only: z.boolean().exactOptional(),
  plugin: z.unknown().exactOptional(),
  server_prompt: z.unknown().exactOptional(),
  computer_folder: z.unknown().exactOptional(),
});

/** Schema of {@link HookCallbackRequest}. */
export const hookCallbackRequestSchema: z.ZodType<HookCallbackRequest> = loose({
  subtype: z.literal("hook_callback"),
  callback_id: z.string(),
  input: hookInputSchema,
  tool_use_id: z.string().exactOptional(),
});

/** Schema of {@link McpMessageRequest}. */
export const mcpMessageRequestSchema: z.ZodType<McpMessageRequest> = loose({
  subtype: z.literal("mcp_message"),
  server_name: z.string(),
  message: jsonRpcMessageSchema,
});

/** Schema of {@link McpMessageResponse}. */
export const mcpMessageResponseSchema: z.ZodType<McpMessageResponse> = loose({
  mcp_response: z
    .union([jsonRpcResponseSchema, z.looseObject({ jsonrpc: z.literal("2.0"), result: acknowledgedSchema })])
    .exactOptional(),
});

/** Schema of {@link ElicitationRequest}. */
export const elicitationRequestSchema: z.ZodType<ElicitationRequest> = loose({
  subtype: z.literal("elicitation"),
  mcp_server_name: z.string(),
  message: z.string(),
  mode: open("form", "url").exactOptional(),
  requested_schema: jsonObject.exactOptional(),
  property_order: z.array(z.string()).exactOptional(),
  url: z.string().exactOptional(),
  elicitation_id: z.string().exactOptional(),
  title: z.string().exactOptional(),
  display_name: z.string().exactOptional(),
  description: z.string().exactOptional(),
});

/** Schema of {@link ElicitationResponse}. */
export const elicitationResponseSchema: z.ZodType<ElicitationResponse> = pinned(
  kinds("action", [
    z.looseObject({ action: z.literal("accept"), content: jsonObject.optional() }),
    z.looseObject({ action: z.enum(["decline", "cancel"]) }),
  ]),
);

/** Schema of {@link UserDialogRequest}. */
export const userDialogRequestSchema: z.ZodType<UserDialogRequest> = loose({
  subtype: z.literal("request_user_dialog"),
  dialog_kind: open("refusal_fallback_prompt"),
  payload: jsonObject,
  tool_use_id: z.string().exactOptional(),
});

/** Schema of {@link UserDialogResponse}. */
export const userDialogResponseSchema: z.ZodType<UserDialogResponse> = pinned(
  kinds("behavior", [
    z.looseObject({ behavior: z.literal("completed"), result: z.unknown() }),
    z.looseObject({ behavior: z.literal("cancelled") }),
  ]),
);

/** Schema of {@link OauthTokenRefreshRequest}. */
export const oauthTokenRefreshRequestSchema: z.ZodType<OauthTokenRefreshRequest> = loose({
  subtype: z.literal("oauth_token_refresh"),
  kind: z.string().exactOptional(),
  token_state: z.string().exactOptional(),
  refused_call: z.unknown().exactOptional(),
  refused_bearer_sha256: z.string().exactOptional(),
});

/** Schema of {@link HostAuthTokenRefreshRequest}. */
export const hostAuthTokenRefreshRequestSchema: z.ZodType<HostAuthTokenRefreshRequest> = loose({
  subtype: z.literal("host_auth_token_refresh"),
  status: z.number().exactOptional(),
  token_state: z.string().exactOptional(),
});

/** Schemas of {@link InboundRequests}: request and response, by subtype. */
export const inboundRequestSchemas: RequestSchemas<InboundRequests> = {
  ...opaqueInboundRequestSchemas,
  can_use_tool: { request: canUseToolRequestSchema, response: permissionResultSchema },
  hook_callback: { request: hookCallbackRequestSchema, response: hookOutputSchema },
  mcp_message: { request: mcpMessageRequestSchema, response: mcpMessageResponseSchema },
  elicitation: { request: elicitationRequestSchema, response: elicitationResponseSchema },
  request_user_dialog: { request: userDialogRequestSchema, response: userDialogResponseSchema },
  oauth_token_refresh: {
    request: oauthTokenRefreshRequestSchema,
    response: loose({ accessToken: z.string().nullable(), reason: z.string().optional() }),
  },
  host_auth_token_refresh: {
    request: hostAuthTokenRefreshRequestSchema,
    response: loose({ authToken: z.string().nullable() }),
  },
  remote_control_work_secret: {
    request: loose({ subtype: z.literal("remote_control_work_secret"), session_id: z.string() }),
    response: loose({ work_secret: z.string() }),
  },
};

/** Schema of {@link InboundRequest}. */
export const inboundRequestSchema: z.ZodType<InboundRequest> = requestOf(inboundRequestSchemas);
