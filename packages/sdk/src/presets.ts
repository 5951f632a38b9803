import { createToolServer, type ToolDefinition } from "@reins/toolhost";
import type { Options } from "./options.ts";

/**
 * Values for options whose wire form says little.
 *
 * Without `systemPrompt` a session has an empty system prompt, as with the official SDK: `presets.claudeCode` is the one that the
 * terminal has.
 *
 * @example
 * query({ prompt, options: { systemPrompt: presets.claudeCode, tools: presets.allTools } });
 */
export const presets: {
  /** `systemPrompt`: that of Claude Code in the terminal. */
  readonly claudeCode: { readonly type: "preset"; readonly preset: "claude_code" };
  /** `tools`: all that Claude Code has. */
  readonly allTools: { readonly type: "preset"; readonly preset: "claude_code" };
} = {
  claudeCode: { type: "preset", preset: "claude_code" },
  allTools: { type: "preset", preset: "claude_code" },
};

/**
 * Options for a session that can do what the given tools do, and nothing else: no built-in tools, no settings files, no other MCP
 * servers. The program is the permission layer: its own tools run unasked, and whatever else the CLI might have is denied.
 *
 * The tools of the session are compared with the given ones at its first turn; another set ends it with a
 * {@link ToolSurfaceMismatchError}. The value is a starting point: spread it and change what you like.
 *
 * @param systemPrompt The whole system prompt.
 * @param serverName Names the tools' server; the model sees `mcp__NAME__tool`. Default `"tools"`.
 * @throws {@link ToolDefinitionError} for tools that the CLI would not take.
 * @example
 * query({ prompt: "2 + 2", options: pipe("You are a terse calculator.", [add]) });
 */
export function pipe(systemPrompt: string, tools: readonly ToolDefinition[] = [], serverName = "tools"): Options {
  const isolated = {
    systemPrompt,
    tools: [],
    settingSources: [],
    strictMcpConfig: true,
    permissionMode: "dontAsk",
  } as const;
  if (tools.length === 0) return { ...isolated, expectedTools: [] };
  return {
    ...isolated,
    // In every request at once: behind the CLI's tool search they would need a built-in tool.
    mcpServers: { [serverName]: createToolServer({ name: serverName, tools, alwaysLoad: true }) },
    allowedTools: [`mcp__${serverName}`],
    expectedTools: tools.map((tool) => `mcp__${serverName}__${tool.name}`),
  };
}

/** Options for Claude Code as it is in the terminal, under program control: its system prompt, its tools, the user's settings. */
export function harness(): Options {
  return {
    systemPrompt: presets.claudeCode,
    tools: presets.allTools,
    settingSources: ["user", "project", "local"],
  };
}
