import type { FastModeDisabledReason, FastModeState } from "../fast-mode.ts";
import type { OpenString } from "../open.ts";
import type { PermissionMode } from "../permissions.ts";
import type { SystemBase } from "./system-base.ts";

/**
 * What the session looks like. Written at the start of each turn, not at start-up: do not wait for it before the first prompt, and
 * replace what you keep of it with each one. [verified on CLI 2.1.328]
 */
export interface SystemInitMessage extends SystemBase {
  readonly subtype: "init";
  /** Working directory. */
  readonly cwd: string;
  /** Names of the tools on offer. The subagent tool is listed as `Task`; the model may also call it `Agent`. */
  readonly tools: string[];
  readonly mcp_servers: InitMcpServer[];
  /** Id of the model, resolved. */
  readonly model: string;
  readonly permissionMode: PermissionMode;
  /** Names without the slash. */
  readonly slash_commands: string[];
  /** Those that make sense in a terminal only. */
  readonly terminal_slash_commands?: string[];
  readonly apiKeySource: ApiKeySource;
  /** Version of the CLI, such as `2.1.328`. */
  readonly claude_code_version: string;
  readonly output_style: string;
  /** Kinds of subagents. */
  readonly agents?: string[];
  readonly skills: string[];
  readonly plugins: InitPlugin[];
  /** Absent when there are none. */
  readonly plugin_errors?: InitPluginError[];
  /** What is amiss with plugins that were loaded. Absent when nothing is; never seen. */
  readonly plugin_warnings?: unknown[];
  /** Servers whose configuration was refused. Absent when there are none; never seen. */
  readonly mcp_server_errors?: unknown[];
  /** Variables of the host that the CLI did not take. Absent when there are none; never seen. */
  readonly host_dropped_env?: unknown[];
  readonly betas?: string[];
  /** What this CLI can do, such as `interrupt_receipt_v1`. */
  readonly capabilities?: string[];
  readonly fast_mode_state?: FastModeState;
  readonly fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Bridge hosts only. */
  readonly effort?: EffortLevel | null;
  readonly view_mode?: OpenString<"focus" | "default">;
  /** `uuid`s of the prompts that the turn consumes. */
  readonly user_message_uuids?: string[];
  /** Internal. */
  readonly original_cwd?: string;
  /** Internal. */
  readonly additional_directories?: string[];
  /** Internal: directories of the memory feature. */
  readonly memory_paths?: { readonly auto: string; readonly team?: string };
  /** Internal: path of a socket. */
  readonly messaging_socket_path?: string;
  /** Internal. */
  readonly analytics_disabled?: boolean;
  /** Internal. */
  readonly product_feedback_disabled?: boolean;
  /** Internal. */
  readonly per_turn_effort_active?: boolean;
  /** Internal. */
  readonly ultrathink_available?: boolean;
  /** Internal. */
  readonly ultrathink_typed_raises?: boolean;
}

/** An MCP server of the session. */
export interface InitMcpServer {
  readonly name: string;
  readonly status: McpConnectionStatus;
  /** `sdk`, `plugin`, `dynamic` (from `--mcp-config`), or the scope of the configuration. */
  readonly source?: string;
}

/** How an MCP server does. */
export type McpConnectionStatus = OpenString<"connected" | "failed" | "needs-auth" | "pending" | "disabled">;

/** A plugin of the session. Built-in ones have the path `builtin`. */
export interface InitPlugin {
  readonly name: string;
  readonly path: string;
  readonly version?: string;
  readonly source?: string;
}

/** A plugin that could not be loaded. */
export interface InitPluginError {
  readonly plugin: string;
  readonly type: string;
  readonly message: string;
  readonly path?: string;
  readonly managed_lock?: {
    readonly plugin_enabled: boolean;
    readonly name: string;
    readonly marketplace?: string;
  };
}

/** Where the API key comes from. The last five are of older CLIs. */
export type ApiKeySource = OpenString<
  | "ANTHROPIC_API_KEY"
  | "apiKeyHelper"
  | "/login managed key"
  | "none"
  | "user"
  | "project"
  | "org"
  | "temporary"
  | "oauth"
>;

/** How hard the model tries. */
export type EffortLevel = OpenString<"low" | "medium" | "high" | "xhigh" | "max">;
