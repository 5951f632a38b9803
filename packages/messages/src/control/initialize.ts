import type { AgentDefinition } from "../agent-definition.ts";
import type { FastModeDisabledReason, FastModeState } from "../fast-mode.ts";
import type { HookEvent } from "../hooks/hook-event.ts";
import type { McpSdkServerSettings, McpServerConfig } from "../mcp.ts";
import type { OpenString } from "../open.ts";
import type { PermissionMode } from "../permissions.ts";
import type { PluginConfig } from "../session.ts";
import type { AccountInfo, AgentInfo, ModelInfo, SlashCommand } from "./session-info.ts";

/** A group of hook callbacks of the host. */
export interface HookCallbackMatcher {
  /**
   * Subjects of the event, such as tools. A name, names joined by `|`, or a regular expression; all when absent. One that is no valid
   * regular expression never matches, in silence. [verified on CLI 2.1.328]
   */
  readonly matcher?: string | undefined;
  /** Ids of the host's choice; they come back as `callback_id`. */
  readonly hookCallbackIds: readonly string[];
  /** Seconds. Default 600; UserPromptSubmit 30, MessageDisplay 10, SessionEnd 1.5. */
  readonly timeout?: number | undefined;
  /** What a failed callback does. Default `continue`: the CLI goes on as if there were no hook. No effect on Stop and its like. */
  readonly onFailure?: "continue" | "block" | undefined;
}

/**
 * The first control request of a session: registers hooks and servers of the host, and sets what does not fit on a command line.
 *
 * Sent again at any moment, with the same callback ids, it replaces the hooks and tells what is still open. [verified on CLI 2.1.328]
 */
export interface InitializeRequest {
  readonly subtype: "initialize";
  readonly hooks?: { readonly [Event in HookEvent]?: readonly HookCallbackMatcher[] | undefined } | undefined;
  /** Names of MCP servers in the host. */
  readonly sdkMcpServers?: readonly string[] | undefined;
  readonly sdkMcpServerConfigs?: Readonly<Record<string, McpSdkServerSettings>> | undefined;
  readonly sdkMcpServerManifests?: Readonly<Record<string, McpServerManifest>> | undefined;
  readonly sdkMcpServerManifestsOrigin?: "host_per_send" | undefined;
  /** Replaces the system prompt. */
  readonly systemPrompt?: string | readonly string[] | undefined;
  /** Added to the CLI's own system prompt. */
  readonly appendSystemPrompt?: string | undefined;
  /** False renders the system prompt anew for each request. Default true. */
  readonly systemPromptSnapshot?: boolean | undefined;
  readonly planModeInstructions?: string | undefined;
  /** True moves what differs between machines out of the cached system prompt. Default false. */
  readonly excludeDynamicSections?: boolean | undefined;
  /** JSON Schema that the result has to fulfil. */
  readonly jsonSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly agents?: Readonly<Record<string, AgentDefinition>> | undefined;
  /** Skills of the main conversation. Default: all. */
  readonly skills?: readonly string[] | undefined;
  /** Title of the session; there is no automatic one then. */
  readonly title?: string | undefined;
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
  readonly promptSuggestions?: boolean | undefined;
  readonly agentProgressSummaries?: boolean | undefined;
  readonly forwardSubagentText?: boolean | undefined;
  /** Dialogs that the host can show; no others are asked for. */
  readonly supportedDialogKinds?: readonly string[] | undefined;
  /** The host can stop single tasks, so an interrupt leaves those in the background alone. Default false. */
  readonly perTaskStopAffordance?: boolean | undefined;
  /** Only with `--await-initialize`. */
  readonly plugins?: readonly PluginConfig[] | undefined;
  /** Only with `--await-initialize`. Keeps secrets off the command line. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Only with `--await-initialize`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Only with `--await-initialize`. */
  readonly managedSettings?: Readonly<Record<string, unknown>> | undefined;
  /** Only with `--await-initialize`. */
  readonly disallowedTools?: readonly string[] | undefined;
}

/** The handshake with a server of the host, made before the CLI asked for it. */
export interface McpServerManifest {
  /** Result of the MCP request `initialize`. The protocol version has to be exactly the CLI's. */
  readonly initializeResult: Readonly<Record<string, unknown>>;
  /** Result of `tools/list`; left out for a list in several pages. */
  readonly toolsListResult?: Readonly<Record<string, unknown>> | undefined;
}

/** What a session is like at its start. */
export interface InitializeResponse {
  readonly commands: SlashCommand[];
  readonly agents: AgentInfo[];
  readonly output_style: string;
  readonly available_output_styles: string[];
  readonly models: ModelInfo[];
  readonly account: AccountInfo;
  readonly user_output_styles_dir?: string;
  /** Process id of the CLI. */
  readonly pid?: number;
  readonly claude_code_version?: string;
  readonly current_permission_mode?: PermissionMode;
  readonly session_state?: OpenString<"idle" | "running" | "requires_action">;
  /** What this CLI can do; a shorter list than that of the init message. */
  readonly capabilities?: string[];
  readonly fast_mode_state?: FastModeState;
  readonly fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Only if the request had hooks. */
  readonly hooks_applied?: boolean;
  /** Where this is not true, `onFailure: "block"` has no effect. */
  readonly hook_on_failure_supported?: boolean;
  readonly hooks_when_unanswered_kept?: number;
  readonly other_hook_ask_outranks_host?: boolean;
  /** Only if the request named some. Means taken, not working. */
  readonly plugins_applied?: boolean;
  /** Only if the request named some. Means taken, not working. */
  readonly mcp_servers_applied?: boolean;
  readonly settings_applied?: boolean;
  readonly managed_settings_applied?: boolean;
  readonly disallowed_tools_applied?: boolean;
  /** What became of the manifests. All but `parked` means an ordinary handshake. */
  readonly sdk_mcp_manifests_parked?: Readonly<
    Record<
      string,
      OpenString<"parked" | "already_connected" | "protocol_version_mismatch" | "malformed" | "not_honoured">
    >
  >;
  readonly feedback_mode?: unknown;
  readonly analytics_disabled?: boolean;
  readonly remote_control_auto_enable?: boolean;
  readonly remote_control_auto_connect_default?: boolean;
  readonly remote_control_available?: boolean;
  readonly remote_control_auto_on_by_default?: boolean;
  readonly ide_rc_auto_enable_gate?: boolean;
}
