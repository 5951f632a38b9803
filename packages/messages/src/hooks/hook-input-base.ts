import type { McpServerProvenance } from "../permissions.ts";

/** What every hook is told. Fields keep their wire names. */
export interface HookInputBase {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  /** Absent before the first prompt of the process. */
  readonly prompt_id?: string;
  /** With the events of tools, prompts and stops only. */
  readonly permission_mode?: string;
  /** With the events of tools and stops, where the model has levels of effort. */
  readonly effort?: { readonly level: string };
  /** The subagent in which it happens; absent in the main conversation. */
  readonly agent_id?: string;
  /** Kind of the subagent, or of the agent that the whole session runs as. */
  readonly agent_type?: string;
}

/** What the hooks around one tool call are told. */
export interface ToolHookInputBase extends HookInputBase {
  /** Name as in rules: `Bash`, `mcp__server__tool`. */
  readonly tool_name: string;
  readonly tool_input: unknown;
  /** For a tool of an MCP server. */
  readonly mcp_server?: McpServerProvenance;
}
