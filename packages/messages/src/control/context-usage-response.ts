import type { OpenString } from "../open.ts";

/** What fills the context window. Counts are tokens. Without `detail: "summary"` the CLI asks the API to count. */
export interface ContextUsageResponse {
  readonly categories: ContextUsageResponseCategory[];
  readonly totalTokens: number;
  readonly maxTokens: number;
  readonly rawMaxTokens: number;
  readonly percentage: number;
  readonly autocompactSource?: string;
  /** A picture of the window, for display. */
  readonly gridRows: ContextGridSquare[][];
  readonly model: string;
  readonly memoryFiles: { readonly path: string; readonly type: string; readonly tokens: number }[];
  readonly mcpTools: ContextMcpTool[];
  readonly mcpInstructions?: { readonly serverName: string; readonly tokens: number }[];
  readonly deferredBuiltinTools?: { readonly name: string; readonly tokens: number; readonly isLoaded: boolean }[];
  readonly systemTools?: { readonly name: string; readonly tokens: number }[];
  readonly systemPromptSections?: { readonly name: string; readonly tokens: number }[];
  readonly agents: ContextAgent[];
  readonly slashCommands?: {
    readonly totalCommands: number;
    readonly includedCommands: number;
    readonly tokens: number;
  };
  readonly skills?: {
    readonly totalSkills: number;
    readonly includedSkills: number;
    readonly tokens: number;
    readonly skillFrontmatter: ContextSkill[];
  };
  readonly autoCompactThreshold?: number;
  readonly isAutoCompactEnabled: boolean;
  readonly messageBreakdown?: ContextMessageBreakdown;
  readonly apiUsage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_creation_input_tokens: number;
    readonly cache_read_input_tokens: number;
  } | null;
}

/** A part of the context window. */
export interface ContextUsageResponseCategory {
  readonly id?: OpenString<
    | "system_prompt"
    | "system_tools"
    | "mcp_tools"
    | "mcp_instructions"
    | "mcp_tools_deferred"
    | "system_tools_deferred"
    | "custom_agents"
    | "memory_files"
    | "skills"
    | "messages"
    | "autocompact_buffer"
    | "compact_buffer"
    | "free_space"
  >;
  readonly name: string;
  readonly tokens: number;
  readonly color: string;
  readonly isDeferred?: boolean;
  readonly kind: OpenString<"used" | "free" | "buffer" | "deferred">;
}

/** A square of the picture of the context window. */
export interface ContextGridSquare {
  readonly color: string;
  readonly isFilled: boolean;
  readonly categoryName: string;
  readonly tokens: number;
  readonly percentage: number;
  /** 0 to 1. */
  readonly squareFullness: number;
}

/** An MCP tool in the context window. */
export interface ContextMcpTool {
  readonly name: string;
  readonly serverName: string;
  readonly tokens: number;
  readonly isLoaded?: boolean;
}

/** A kind of subagent in the context window. */
export interface ContextAgent {
  readonly agentType: string;
  readonly source: string;
  readonly pluginId?: string;
  readonly path?: string;
  readonly tokens: number;
}

/** A skill in the context window. */
export interface ContextSkill {
  readonly name: string;
  readonly source: string;
  readonly pluginName?: string;
  readonly pluginId?: string;
  readonly path?: string;
  readonly tokens: number;
}

/** What the messages in the context window are made of. */
export interface ContextMessageBreakdown {
  readonly toolCallTokens: number;
  readonly toolResultTokens: number;
  readonly attachmentTokens: number;
  readonly assistantMessageTokens: number;
  readonly userMessageTokens: number;
  readonly redirectedContextTokens: number;
  readonly unattributedTokens: number;
  readonly toolCallsByType: {
    readonly name: string;
    readonly callTokens: number;
    readonly resultTokens: number;
  }[];
  readonly attachmentsByType: { readonly name: string; readonly tokens: number }[];
}
