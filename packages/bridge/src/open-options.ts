import { createToolServer, type LaunchWarning, type Options, tool, type toolResult } from "@reins/sdk";
import type { HostTool, OpenOptions, ToolCallMessage } from "./protocol.ts";

/** The server of the host's tools. */
const hostServer = "host";

/** What a tool of the host gave. */
export type ToolAnswer = ReturnType<typeof toolResult.content>;

type ToolRunner = (call: Omit<ToolCallMessage, "type" | "id">, signal: AbortSignal) => Promise<ToolAnswer>;

/**
 * The options of a session: those of whoever started the bridge, and on top what the host may say.
 *
 * @throws ToolDefinitionError for a tool that the CLI would not take.
 */
export function sessionOptions(
  base: Options,
  said: OpenOptions,
  tools: readonly HostTool[],
  runTool: ToolRunner,
): Options {
  const { built_in_tools: builtIn = [] } = said;
  const own = Object.fromEntries(Object.entries(hostOptions(said, base)).filter(([, value]) => value !== undefined));
  const server = tools.length === 0 ? {} : { [hostServer]: toolServer(tools, runTool) };
  const allowed = [
    ...(said.allowed_tools ?? base.allowedTools ?? []),
    ...(tools.length === 0 ? [] : [`mcp__${hostServer}`]),
  ];
  return {
    strictMcpConfig: true,
    ...base,
    tools: builtIn === "all" ? { type: "preset", preset: "claude_code" } : builtIn,
    settingSources: said.setting_sources ?? [],
    verbatimPrompts: said.expand_prompts !== true,
    ...own,
    ...(allowed.length > 0 && { allowedTools: allowed }),
    mcpServers: { ...base.mcpServers, ...server },
    onWarning: (warning) => passWarning(base, warning),
  };
}

/** That rules keep the host from being asked is what they are for here. */
function passWarning({ onWarning }: Options, warning: LaunchWarning): void {
  if (warning.code === "REINS_PERMISSION_SHADOWED") return;
  if (onWarning) onWarning(warning);
  else process.emitWarning(warning.message, { type: "ReinsWarning", code: warning.code });
}

function hostOptions(said: OpenOptions, base: Options): Options {
  const { system_prompt: systemPrompt } = said;
  return {
    model: said.model,
    fallbackModel: said.fallback_model,
    effort: said.effort,
    systemPrompt: typeof systemPrompt === "object" ? { type: "preset", ...systemPrompt } : systemPrompt,
    cwd: said.cwd,
    additionalDirectories: said.additional_directories,
    // What is forbidden stays forbidden, and limits can only become lower.
    disallowedTools: [...(base.disallowedTools ?? []), ...(said.disallowed_tools ?? [])],
    permissionMode: said.permission_mode,
    maxTurns: lower(base.maxTurns, said.max_turns),
    maxBudgetUsd: lower(base.maxBudgetUsd, said.max_budget_usd),
    includePartialMessages: said.include_partial_messages,
  };
}

/** The lower of two limits; 0 and nothing are none. */
function lower(left: number | undefined, right: number | undefined): number | undefined {
  if (!left || !right) return left || right || undefined;
  return Math.min(left, right);
}

function toolServer(tools: readonly HostTool[], runTool: ToolRunner): ReturnType<typeof createToolServer> {
  const definitions = tools.map(({ name, description, input_schema: inputSchema, ask }) =>
    tool({
      name,
      description,
      inputSchema: { type: "object", ...inputSchema },
      ...(ask === true && { permissionPolicy: "always_ask" as const }),
      handler: (input: Record<string, unknown>, { signal, toolUseId }) =>
        runTool({ name, input, tool_use_id: toolUseId }, signal),
    }),
  );
  return createToolServer({ name: hostServer, tools: definitions, alwaysLoad: true });
}
