import type {
  ApiKeySource,
  EffortLevel,
  InitMcpServer,
  InitPlugin,
  InitPluginError,
  McpConnectionStatus,
  SystemInitMessage,
} from "@reins/messages";
import * as z from "zod";
import { fastModeDisabledReasonSchema, fastModeStateSchema } from "../fast-mode.ts";
import { open } from "../open.ts";
import { permissionModeSchema } from "../permissions.ts";
import { loose, pinned } from "../pinned.ts";
import { system } from "./system-base.ts";

/** Schema of {@link McpConnectionStatus}. */
export const mcpConnectionStatusSchema: z.ZodType<McpConnectionStatus> = pinned(
  open("connected", "failed", "needs-auth", "pending", "disabled"),
);

/** Schema of {@link InitMcpServer}. */
export const initMcpServerSchema: z.ZodType<InitMcpServer> = loose({
  name: z.string(),
  status: mcpConnectionStatusSchema,
  source: z.string().exactOptional(),
});

/** Schema of {@link ApiKeySource}. */
export const apiKeySourceSchema: z.ZodType<ApiKeySource> = pinned(
  open(
    "ANTHROPIC_API_KEY",
    "apiKeyHelper",
    "/login managed key",
    "none",
    "user",
    "project",
    "org",
    "temporary",
    "oauth",
  ),
);

/** Schema of {@link InitPlugin}. */
export const initPluginSchema: z.ZodType<InitPlugin> = loose({
  name: z.string(),
  path: z.string(),
  version: z.string().exactOptional(),
  source: z.string().exactOptional(),
});

/** Schema of {@link InitPluginError}. */
export const initPluginErrorSchema: z.ZodType<InitPluginError> = loose({
  plugin: z.string(),
  type: z.string(),
  message: z.string(),
  path: z.string().exactOptional(),
  managed_lock: z
    .looseObject({ plugin_enabled: z.boolean(), name: z.string(), marketplace: z.string().exactOptional() })
    .exactOptional(),
});

/** Schema of {@link EffortLevel}. */
export const effortLevelSchema: z.ZodType<EffortLevel> = pinned(open("low", "medium", "high", "xhigh", "max"));

/** Schema of {@link SystemInitMessage}. */
export const systemInitMessageSchema: z.ZodType<SystemInitMessage> = system("init", {
  cwd: z.string(),
  tools: z.array(z.string()),
  mcp_servers: z.array(initMcpServerSchema),
  model: z.string(),
  permissionMode: permissionModeSchema,
  slash_commands: z.array(z.string()),
  terminal_slash_commands: z.array(z.string()).exactOptional(),
  apiKeySource: apiKeySourceSchema,
  claude_code_version: z.string(),
  output_style: z.string(),
  agents: z.array(z.string()).exactOptional(),
  skills: z.array(z.string()),
  plugins: z.array(initPluginSchema),
  plugin_errors: z.array(initPluginErrorSchema).exactOptional(),
  plugin_warnings: z.array(z.unknown()).exactOptional(),
  mcp_server_errors: z.array(z.unknown()).exactOptional(),
  host_dropped_env: z.array(z.unknown()).exactOptional(),
  betas: z.array(z.string()).exactOptional(),
  capabilities: z.array(z.string()).exactOptional(),
  fast_mode_state: fastModeStateSchema.exactOptional(),
  fast_mode_disabled_reason: fastModeDisabledReasonSchema.exactOptional(),
  effort: effortLevelSchema.nullable().exactOptional(),
  view_mode: open("focus", "default").exactOptional(),
  user_message_uuids: z.array(z.string()).exactOptional(),
  original_cwd: z.string().exactOptional(),
  additional_directories: z.array(z.string()).exactOptional(),
  memory_paths: z.looseObject({ auto: z.string(), team: z.string().exactOptional() }).exactOptional(),
  messaging_socket_path: z.string().exactOptional(),
  analytics_disabled: z.boolean().exactOptional(),
  product_feedback_disabled: z.boolean().exactOptional(),
  per_turn_effort_active: z.boolean().exactOptional(),
  ultrathink_available: z.boolean().exactOptional(),
  ultrathink_typed_raises: z.boolean().exactOptional(),
});
