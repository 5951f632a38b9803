import type {
  QueryRequests,
  ReadFileRequest,
  ReadFileResponse,
  ReloadPluginsRequest,
  ReloadPluginsResponse,
} from "@reins/messages";
import * as z from "zod";
import { mcpServerStatusSchema } from "../mcp.ts";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";
import { pluginConfigSchema } from "../session.ts";
import type { RequestSchemas } from "../tables.ts";
import { contextUsageResponseSchema } from "./context-usage-response.ts";
import { hooksListingSchema, permissionRulesStateSchema, settingsResponseSchema } from "./listings.ts";
import { agentInfoSchema, modelInfoSchema, slashCommandSchema } from "./session-info.ts";
import { usageResponseSchema } from "./usage-response.ts";

/** Schema of {@link ReadFileRequest}. */
export const readFileRequestSchema: z.ZodType<ReadFileRequest> = loose({
  subtype: z.literal("read_file"),
  path: z.string(),
  max_bytes: z.number().optional(),
  encoding: z.enum(["utf-8", "base64"]).optional(),
});

/** Schema of {@link ReadFileResponse}. */
export const readFileResponseSchema: z.ZodType<ReadFileResponse> = loose({
  contents: z.string(),
  absPath: z.string(),
  requested_path: z.string().exactOptional(),
  truncated: z.boolean().exactOptional(),
  encoding: open("base64").exactOptional(),
  lossy: z.boolean().exactOptional(),
});

/** Schema of {@link ReloadPluginsRequest}. */
export const reloadPluginsRequestSchema: z.ZodType<ReloadPluginsRequest> = loose({
  subtype: z.literal("reload_plugins"),
  hold_on_cache_impact: z.boolean().optional(),
  add_plugins: z.array(pluginConfigSchema).optional(),
  refuse_if_busy: z.boolean().optional(),
});

/** Schema of {@link ReloadPluginsResponse}. */
export const reloadPluginsResponseSchema: z.ZodType<ReloadPluginsResponse> = loose({
  commands: z.array(slashCommandSchema),
  agents: z.array(agentInfoSchema),
  plugins: z.array(
    z.looseObject({
      name: z.string(),
      path: z.string(),
      source: z.string().exactOptional(),
      version: z.string().exactOptional(),
    }),
  ),
  mcpServers: z.array(mcpServerStatusSchema),
  error_count: z.number(),
  held: z.boolean().exactOptional(),
  cache_impact: z
    .looseObject({
      mcp_servers_added: z.array(z.string()),
      mcp_servers_removed: z.array(z.string()),
      lsp_tool_change: open("adds", "may-add", "removes", "may-remove").nullable(),
    })
    .exactOptional(),
});

/** Schemas of {@link QueryRequests}: request and response, by subtype. */
export const queryRequestSchemas: RequestSchemas<QueryRequests> = {
  get_binary_version: {
    request: loose({ subtype: z.literal("get_binary_version") }),
    response: loose({ version: z.string(), buildTime: z.string(), oldestDesktopSdk: z.string() }),
  },
  get_settings: { request: loose({ subtype: z.literal("get_settings") }), response: settingsResponseSchema },
  get_context_usage: {
    request: loose({ subtype: z.literal("get_context_usage"), detail: z.enum(["summary", "full"]).optional() }),
    response: contextUsageResponseSchema,
  },
  get_usage: {
    request: loose({ subtype: z.literal("get_usage"), skip_behaviors: z.boolean().optional() }),
    response: usageResponseSchema,
  },
  get_session_cost: {
    request: loose({ subtype: z.literal("get_session_cost") }),
    response: loose({ text: z.string() }),
  },
  list_models: {
    request: loose({ subtype: z.literal("list_models") }),
    response: loose({ models: z.array(modelInfoSchema) }),
  },
  list_permission_rules: {
    request: loose({ subtype: z.literal("list_permission_rules") }),
    response: loose({ state: permissionRulesStateSchema }),
  },
  get_hooks_listing: { request: loose({ subtype: z.literal("get_hooks_listing") }), response: hooksListingSchema },
  file_suggestions: {
    request: loose({ subtype: z.literal("file_suggestions"), query: z.string() }),
    response: loose({ suggestions: z.array(z.looseObject({ path: z.string() })), cwd: z.string() }),
  },
  read_file: { request: readFileRequestSchema, response: readFileResponseSchema },
  get_plan: {
    request: loose({ subtype: z.literal("get_plan") }),
    response: loose({ exists: z.boolean(), content: z.string().exactOptional(), path: z.string().exactOptional() }),
  },
  get_status: {
    request: loose({ subtype: z.literal("get_status") }),
    response: loose({
      sections: z.array(
        z.looseObject({ title: z.string(), rows: z.array(z.looseObject({ label: z.string(), value: z.string() })) }),
      ),
    }),
  },
  get_workspace_diff: {
    request: loose({ subtype: z.literal("get_workspace_diff") }),
    response: loose({ diff: z.unknown(), noDiffReason: z.string().exactOptional() }),
  },
  export_conversation: {
    request: loose({ subtype: z.literal("export_conversation") }),
    response: loose({ text: z.string(), default_filename: z.string() }),
  },
  reload_plugins: { request: reloadPluginsRequestSchema, response: reloadPluginsResponseSchema },
  reload_skills: {
    request: loose({ subtype: z.literal("reload_skills") }),
    response: loose({ skills: z.array(slashCommandSchema) }),
  },
  reload_output_styles: {
    request: loose({ subtype: z.literal("reload_output_styles") }),
    response: loose({ available_output_styles: z.array(z.string()) }),
  },
};
