import type { McpServerConfig } from "./mcp.ts";
import type { PermissionMode } from "./permissions.ts";
import type { EffortLevel } from "./system/init.ts";

/** A kind of subagent that a host defines. An entry without description or prompt is dropped in silence. [verified on CLI 2.1.328] */
export interface AgentDefinition {
  /** When to use it: what the model reads. */
  readonly description: string;
  /** The subagent's system prompt. */
  readonly prompt: string;
  /** Default: all of the session. */
  readonly tools?: readonly string[] | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  /** Id or alias. Default: the session's. */
  readonly model?: string | undefined;
  /** Names of servers of the session, or further servers. */
  readonly mcpServers?: readonly (string | Readonly<Record<string, McpServerConfig>>)[] | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly initialPrompt?: string | undefined;
  readonly maxTurns?: number | undefined;
  /** Tokens at which its conversation is compacted. */
  readonly autoCompactWindow?: number | undefined;
  /** True starts it in the background always. */
  readonly background?: boolean | undefined;
  /** True keeps CLAUDE.md files from it. Default false. */
  readonly omitClaudeMd?: boolean | undefined;
  readonly memory?: "user" | "project" | "local" | undefined;
  readonly effort?: EffortLevel | number | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly observer?: string | undefined;
  readonly observerMessage?: string | undefined;
  readonly criticalSystemReminder_EXPERIMENTAL?: string | undefined;
}
