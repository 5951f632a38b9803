import {
  type HookCallbackMatcher,
  hookEvents,
  type InitializeRequest,
  type InitializeResponse,
  type McpServerManifest,
} from "@reins/messages";
import * as z from "zod";
import { agentDefinitionSchema } from "../agent-definition.ts";
import { fastModeDisabledReasonSchema, fastModeStateSchema } from "../fast-mode.ts";
import { mcpSdkServerSettingsSchema, mcpServerConfigSchema } from "../mcp.ts";
import { jsonObject, open } from "../open.ts";
import { permissionModeSchema } from "../permissions.ts";
import { loose } from "../pinned.ts";
import { pluginConfigSchema } from "../session.ts";
import { accountInfoSchema, agentInfoSchema, modelInfoSchema, slashCommandSchema } from "./session-info.ts";

/** Schema of {@link HookCallbackMatcher}. */
export const hookCallbackMatcherSchema: z.ZodType<HookCallbackMatcher> = loose({
  matcher: z.string().optional(),
  hookCallbackIds: z.array(z.string()),
  timeout: z.number().optional(),
  onFailure: z.enum(["continue", "block"]).optional(),
});

/** Schema of {@link McpServerManifest}. */
export const mcpServerManifestSchema: z.ZodType<McpServerManifest> = loose({
  initializeResult: jsonObject,
  toolsListResult: jsonObject.optional(),
});

/** Schema of {@link InitializeRequest}. */
export const initializeRequestSchema: z.ZodType<InitializeRequest> = loose({
  subtype: z.literal("initialize"),
  hooks: z.partialRecord(z.enum(hookEvents), z.array(hookCallbackMatcherSchema).optional()).optional(),
  sdkMcpServers: z.array(z.string()).optional(),
  sdkMcpServerConfigs: z.record(z.string(), mcpSdkServerSettingsSchema).optional(),
  sdkMcpServerManifests: z.record(z.string(), mcpServerManifestSchema).optional(),
  sdkMcpServerManifestsOrigin: z.literal("host_per_send").optional(),
  systemPrompt: z.union([z.string(), z.array(z.string())]).optional(),
  appendSystemPrompt: z.string().optional(),
  systemPromptSnapshot: z.boolean().optional(),
  planModeInstructions: z.string().optional(),
  excludeDynamicSections: z.boolean().optional(),
  jsonSchema: jsonObject.optional(),
  agents: z.record(z.string(), agentDefinitionSchema).optional(),
  skills: z.array(z.string()).optional(),
  title: z.string().optional(),
  toolAliases: z.record(z.string(), z.string()).optional(),
  promptSuggestions: z.boolean().optional(),
  agentProgressSummaries: z.boolean().optional(),
  forwardSubagentText: z.boolean().optional(),
  supportedDialogKinds: z.array(z.string()).optional(),
  perTaskStopAffordance: z.boolean().optional(),
  plugins: z.array(pluginConfigSchema).optional(),
  mcpServers: z.record(z.string(), mcpServerConfigSchema).optional(),
  settings: jsonObject.optional(),
  managedSettings: jsonObject.optional(),
  disallowedTools: z.array(z.string()).optional(),
});

/** Schema of {@link InitializeResponse}. */
export const initializeResponseSchema: z.ZodType<InitializeResponse> = loose({
  commands: z.array(slashCommandSchema),
  agents: z.array(agentInfoSchema),
  output_style: z.string(),
  available_output_styles: z.array(z.string()),
  models: z.array(modelInfoSchema),
  account: accountInfoSchema,
  user_output_styles_dir: z.string().exactOptional(),
  pid: z.number().exactOptional(),
  claude_code_version: z.string().exactOptional(),
  current_permission_mode: permissionModeSchema.exactOptional(),
  session_state: open("idle", "running", "requires_action").exactOptional(),
  capabilities: z.array(z.string()).exactOptional(),
  fast_mode_state: fastModeStateSchema.exactOptional(),
  fast_mode_disabled_reason: fastModeDisabledReasonSchema.exactOptional(),
  hooks_applied: z.boolean().exactOptional(),
  hook_on_failure_supported: z.boolean().exactOptional(),
  hooks_when_unanswered_kept: z.number().exactOptional(),
  other_hook_ask_outranks_host: z.boolean().exactOptional(),
  plugins_applied: z.boolean().exactOptional(),
  mcp_servers_applied: z.boolean().exactOptional(),
  settings_applied: z.boolean().exactOptional(),
  managed_settings_applied: z.boolean().exactOptional(),
  disallowed_tools_applied: z.boolean().exactOptional(),
  sdk_mcp_manifests_parked: z
    .record(z.string(), open("parked", "already_connected", "protocol_version_mismatch", "malformed", "not_honoured"))
    .exactOptional(),
  feedback_mode: z.unknown().exactOptional(),
  analytics_disabled: z.boolean().exactOptional(),
  remote_control_auto_enable: z.boolean().exactOptional(),
  remote_control_auto_connect_default: z.boolean().exactOptional(),
  remote_control_available: z.boolean().exactOptional(),
  remote_control_auto_on_by_default: z.boolean().exactOptional(),
  ide_rc_auto_enable_gate: z.boolean().exactOptional(),
});
