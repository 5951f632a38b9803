import type { McpServerStatus } from "../mcp.ts";
import type { OpenString } from "../open.ts";
import type { PluginConfig } from "../session.ts";
import type { ContextUsageResponse } from "./context-usage-response.ts";
import type { HooksListing, PermissionRulesState, SettingsResponse } from "./listings.ts";
import type { AgentInfo, ModelInfo, SlashCommand } from "./session-info.ts";
import type { UsageResponse } from "./usage-response.ts";

/** Requests that ask for something and change nothing but caches, by subtype. */
export interface QueryRequests {
  readonly get_binary_version: {
    readonly request: { readonly subtype: "get_binary_version" };
    readonly response: { readonly version: string; readonly buildTime: string; readonly oldestDesktopSdk: string };
  };
  readonly get_settings: {
    readonly request: { readonly subtype: "get_settings" };
    readonly response: SettingsResponse;
  };
  readonly get_context_usage: {
    readonly request: { readonly subtype: "get_context_usage"; readonly detail?: "summary" | "full" | undefined };
    readonly response: ContextUsageResponse;
  };
  readonly get_usage: {
    readonly request: { readonly subtype: "get_usage"; readonly skip_behaviors?: boolean | undefined };
    readonly response: UsageResponse;
  };
  readonly get_session_cost: {
    readonly request: { readonly subtype: "get_session_cost" };
    readonly response: { readonly text: string };
  };
  readonly list_models: {
    readonly request: { readonly subtype: "list_models" };
    readonly response: { readonly models: ModelInfo[] };
  };
  readonly list_permission_rules: {
    readonly request: { readonly subtype: "list_permission_rules" };
    readonly response: { readonly state: PermissionRulesState };
  };
  /** Hooks of settings files and plugins; not those of the host. */
  readonly get_hooks_listing: {
    readonly request: { readonly subtype: "get_hooks_listing" };
    readonly response: HooksListing;
  };
  /** The index fills by and by, so an early question may find nothing. */
  readonly file_suggestions: {
    readonly request: { readonly subtype: "file_suggestions"; readonly query: string };
    readonly response: { readonly suggestions: { readonly path: string }[]; readonly cwd: string };
  };
  /** Missing, forbidden and unreadable files are refused with the same words. */
  readonly read_file: { readonly request: ReadFileRequest; readonly response: ReadFileResponse };
  readonly get_plan: {
    readonly request: { readonly subtype: "get_plan" };
    readonly response: { readonly exists: boolean; readonly content?: string; readonly path?: string };
  };
  readonly get_status: {
    readonly request: { readonly subtype: "get_status" };
    readonly response: {
      readonly sections: {
        readonly title: string;
        readonly rows: { readonly label: string; readonly value: string }[];
      }[];
    };
  };
  readonly get_workspace_diff: {
    readonly request: { readonly subtype: "get_workspace_diff" };
    readonly response: { readonly diff: unknown; readonly noDiffReason?: string };
  };
  readonly export_conversation: {
    readonly request: { readonly subtype: "export_conversation" };
    readonly response: { readonly text: string; readonly default_filename: string };
  };
  readonly reload_plugins: { readonly request: ReloadPluginsRequest; readonly response: ReloadPluginsResponse };
  readonly reload_skills: {
    readonly request: { readonly subtype: "reload_skills" };
    readonly response: { readonly skills: SlashCommand[] };
  };
  readonly reload_output_styles: {
    readonly request: { readonly subtype: "reload_output_styles" };
    readonly response: { readonly available_output_styles: string[] };
  };
}

/** Reads a file, as far as the CLI may. */
export interface ReadFileRequest {
  readonly subtype: "read_file";
  readonly path: string;
  readonly max_bytes?: number | undefined;
  /** Default `utf-8`. */
  readonly encoding?: "utf-8" | "base64" | undefined;
}

/** A file. */
export interface ReadFileResponse {
  readonly contents: string;
  readonly absPath: string;
  readonly requested_path?: string;
  readonly truncated?: boolean;
  readonly encoding?: OpenString<"base64">;
  /** Some bytes were no UTF-8. */
  readonly lossy?: boolean;
}

/** Loads plugins again. */
export interface ReloadPluginsRequest {
  readonly subtype: "reload_plugins";
  /** True holds back a change that would spoil the prompt cache. Default false. */
  readonly hold_on_cache_impact?: boolean | undefined;
  /** Further plugins, with absolute paths. */
  readonly add_plugins?: readonly PluginConfig[] | undefined;
  /** True refuses with `reload_plugins_busy` while a turn runs. An older CLI does not know it. Default false. */
  readonly refuse_if_busy?: boolean | undefined;
}

/** What the plugins brought. */
export interface ReloadPluginsResponse {
  readonly commands: SlashCommand[];
  readonly agents: AgentInfo[];
  readonly plugins: {
    readonly name: string;
    readonly path: string;
    readonly source?: string;
    readonly version?: string;
  }[];
  readonly mcpServers: McpServerStatus[];
  readonly error_count: number;
  /** Only if holding back was asked for. */
  readonly held?: boolean;
  /** Why it was held back. */
  readonly cache_impact?: {
    readonly mcp_servers_added: string[];
    readonly mcp_servers_removed: string[];
    readonly lsp_tool_change: OpenString<"adds" | "may-add" | "removes" | "may-remove"> | null;
  };
}
