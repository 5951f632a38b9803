import { OptionError } from "./errors.ts";
import { toJson } from "./json.ts";
import type { CustomSystemPrompt, LaunchOptions, McpServerConfig, PresetSystemPrompt } from "./launch-options.ts";
import { settingsText } from "./settings.ts";
import { skillRules } from "./skills.ts";

/** The options as they are written, after {@link settleOptions} let those that touch one another meet. */
export interface SettledOptions extends LaunchOptions {
  /** Whether the CLI has to wait for the initialize request, because that carries what it needs to start. */
  readonly awaitInitialize: boolean;
}

/**
 * How an option becomes arguments.
 * - `"switch"`: `--flag`, when true.
 * - `"value"`: `--flag=value`; an empty string and 0 send nothing.
 * - `"any-value"`: `--flag=value`, also when it is empty or 0.
 * - `"list"`: `--flag=a,b`; an empty list sends nothing.
 * - `"any-list"`: `--flag=a,b`, and `--flag=` for an empty list, which means none.
 * - `"each"`: `--flag=a --flag=b`.
 * - a function: the arguments themselves.
 */
type ArgumentEncoding<K extends keyof SettledOptions = keyof SettledOptions> =
  | "switch"
  | "value"
  | "any-value"
  | "list"
  | "any-list"
  | "each"
  | ((value: NonNullable<SettledOptions[K]>, options: SettledOptions) => readonly string[]);

/** An option that becomes arguments. */
export type ArgumentRow = {
  [K in keyof SettledOptions]-?: {
    readonly option: K;
    readonly flag?: `--${string}`;
    readonly as: ArgumentEncoding<K>;
  };
}[keyof SettledOptions];

/** An option that becomes a field of the initialize request: as it is, or what `value` makes of it; `undefined` sends nothing. */
export type InitializeRow = {
  [K in keyof SettledOptions]-?: {
    readonly option: K;
    readonly field: string;
    readonly value?: (value: NonNullable<SettledOptions[K]>, options: SettledOptions) => unknown;
  };
}[keyof SettledOptions];

/** An option that becomes a variable of the environment; `undefined` sets nothing. */
export type VariableRow = {
  [K in keyof SettledOptions]-?: {
    readonly option: K;
    readonly variable: string;
    readonly value: (value: NonNullable<SettledOptions[K]>) => string | undefined;
  };
}[keyof SettledOptions];

/**
 * The options on the command line, in the order of the official SDK, so that the two can be compared.
 *
 * A value is always in one token with its flag. In a token of its own, one that begins with `-` would be taken for a flag, and
 * flags with an optional value or a list of them take what follows.
 */
export const argumentRows: readonly ArgumentRow[] = [
  { option: "thinking", as: thinkingArguments },
  { option: "maxThinkingTokens", as: maxThinkingArguments },
  { option: "effort", flag: "--effort", as: "value" },
  { option: "maxTurns", flag: "--max-turns", as: "value" },
  { option: "maxBudgetUsd", flag: "--max-budget-usd", as: "any-value" },
  { option: "taskBudget", as: ({ total }) => [`--task-budget=${total}`] },
  { option: "model", flag: "--model", as: "value" },
  { option: "agent", flag: "--agent", as: "value" },
  { option: "betas", flag: "--betas", as: "list" },
  { option: "debugFile", flag: "--debug-file", as: "value" },
  { option: "debug", as: (debug, { debugFile }) => (debug && !debugFile ? ["--debug"] : []) },
  { option: "permissionPromptToolName", flag: "--permission-prompt-tool", as: "value" },
  { option: "permissionPrompts", flag: "--permission-prompts", as: "any-value" },
  { option: "continue", flag: "--continue", as: "switch" },
  { option: "resume", flag: "--resume", as: "value" },
  { option: "allowedTools", flag: "--allowedTools", as: "list" },
  { option: "disallowedTools", flag: "--disallowedTools", as: "list" },
  { option: "tools", as: (tools) => [Array.isArray(tools) ? `--tools=${tools.join(",")}` : "--tools=default"] },
  { option: "mcpServers", as: mcpServersArguments },
  { option: "settingSources", flag: "--setting-sources", as: "any-list" },
  { option: "strictMcpConfig", flag: "--strict-mcp-config", as: "switch" },
  { option: "permissionMode", flag: "--permission-mode", as: "value" },
  { option: "allowDangerouslySkipPermissions", flag: "--allow-dangerously-skip-permissions", as: "switch" },
  { option: "fallbackModel", flag: "--fallback-model", as: "value" },
  { option: "includeHookEvents", flag: "--include-hook-events", as: "switch" },
  { option: "includePartialMessages", flag: "--include-partial-messages", as: "switch" },
  { option: "sessionMirror", flag: "--session-mirror", as: "switch" },
  { option: "projectConfigRoot", flag: "--project-config-root", as: "any-value" },
  { option: "additionalDirectories", flag: "--add-dir", as: "each" },
  { option: "awaitInitialize", flag: "--await-initialize", as: "switch" },
  { option: "plugins", as: pluginArguments },
  { option: "forkSession", flag: "--fork-session", as: "switch" },
  { option: "resumeSessionAt", flag: "--resume-session-at", as: "value" },
  { option: "resumeDropsTurn", flag: "--resume-drops-turn", as: "any-value" },
  { option: "sessionId", flag: "--session-id", as: "value" },
  { option: "persistSession", as: (persist) => (persist === false ? ["--no-session-persistence"] : []) },
  { option: "managedSettings", as: (settings) => [`--managed-settings=${toJson("managedSettings", settings)}`] },
  { option: "extraArgs", as: extraArguments },
  { option: "settings", flag: "--settings", as: "value" },
];

/** The options in the initialize request. What can be long goes here and not on the command line. */
export const initializeRows: readonly InitializeRow[] = [
  {
    option: "outputFormat",
    field: "jsonSchema",
    value: ({ type, schema }) => (type === "json_schema" ? schema : undefined),
  },
  { option: "systemPrompt", field: "systemPrompt", value: systemPromptBlocks },
  { option: "systemPrompt", field: "appendSystemPrompt", value: (prompt) => preset(prompt)?.append },
  { option: "planModeInstructions", field: "planModeInstructions" },
  {
    option: "systemPrompt",
    field: "systemPromptSnapshot",
    value: (prompt) => (preset(prompt) ?? custom(prompt))?.snapshot,
  },
  { option: "toolAliases", field: "toolAliases" },
  {
    option: "systemPrompt",
    field: "excludeDynamicSections",
    value: (prompt) => preset(prompt)?.excludeDynamicSections,
  },
  { option: "agents", field: "agents" },
  { option: "title", field: "title" },
  { option: "skills", field: "skills", value: (skills) => (skills === "all" ? undefined : skills) },
  { option: "promptSuggestions", field: "promptSuggestions" },
  { option: "agentProgressSummaries", field: "agentProgressSummaries" },
  { option: "forwardSubagentText", field: "forwardSubagentText" },
  { option: "supportedDialogKinds", field: "supportedDialogKinds" },
  { option: "perTaskStopAffordance", field: "perTaskStopAffordance" },
  {
    option: "plugins",
    field: "plugins",
    value: (plugins, options) => (pluginsInInitialize(options) ? plugins : undefined),
  },
  {
    option: "mcpServers",
    field: "mcpServers",
    value: (servers, options) => (serversInInitialize(options) ? servers : undefined),
  },
];

/** The options in the environment. */
export const variableRows: readonly VariableRow[] = [
  {
    option: "enableFileCheckpointing",
    variable: "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING",
    value: (enable) => (enable ? "true" : undefined),
  },
  {
    option: "toolConfig",
    variable: "CLAUDE_CODE_QUESTION_PREVIEW_FORMAT",
    value: (config) => config.askUserQuestion?.previewFormat,
  },
];

/** Lets options that touch one another meet, and refuses those that contradict one another. */
export function settleOptions(options: LaunchOptions): SettledOptions {
  refuseContradictions(options);
  const rules = options.skills == null ? [] : skillRules(options.skills);
  return {
    ...options,
    // Not the default prompt: that one is asked for by name. As in the official SDK.
    systemPrompt: options.systemPrompt ?? "",
    allowedTools: [...new Set([...list("allowedTools", options.allowedTools ?? []), ...rules])],
    settings: settingsText(
      options.settings || options.extraArgs?.["settings"] || undefined,
      options.sandbox ?? undefined,
    ),
    awaitInitialize: pluginsInInitialize(options) || serversInInitialize(options),
  };
}

/** The strings of an option that has to be a list of them. @throws {@link OptionError} when it is none, such as a single name. */
export function list(option: string, value: unknown): readonly string[] {
  if (isStringList(value)) return value;
  throw new OptionError(option, "has to be a list of strings.");
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function refuseContradictions(options: LaunchOptions): void {
  const { maxBudgetUsd, model, fallbackModel, plugins } = options;
  if (maxBudgetUsd != null && !(maxBudgetUsd > 0))
    throw new OptionError("maxBudgetUsd", `has to be above 0, not ${maxBudgetUsd}.`);
  if (fallbackModel && fallbackModel === model) {
    throw new OptionError("fallbackModel", "cannot be the same as the main model. Please specify a different model.");
  }
  for (const option of ["mcpServersDelivery", "pluginDelivery"] as const) {
    const delivery = options[option] ?? "argv";
    if (delivery !== "argv" && delivery !== "initialize") {
      throw new OptionError(option, `has to be "argv" or "initialize", not ${JSON.stringify(delivery)}.`);
    }
  }
  for (const { type } of plugins ?? []) {
    if (type !== "local")
      throw new OptionError("plugins", `has an unsupported plugin type: ${String(type)}. There is "local" only.`);
  }
  for (const [name, server] of Object.entries(options.mcpServers ?? {})) refuseInProcessServer(name, server);
}

/** Its functions cannot leave this process, and a CLI that is told of it would wait for answers that nobody gives. */
function refuseInProcessServer(name: string, server: McpServerConfig): void {
  if (server.type !== "sdk") return;
  throw new OptionError(
    "mcpServers",
    `has an in-process server, ${name}, which only a session can serve. Use @reins/sdk for it.`,
  );
}

function thinkingArguments(thinking: NonNullable<LaunchOptions["thinking"]>): string[] {
  if (thinking.type === "disabled") return ["--thinking=disabled"];
  const isBudget = thinking.type === "enabled" && thinking.budgetTokens != null;
  const how = isBudget ? `--max-thinking-tokens=${thinking.budgetTokens}` : "--thinking=adaptive";
  return thinking.display == null ? [how] : [how, `--thinking-display=${thinking.display}`];
}

function maxThinkingArguments(tokens: number, { thinking }: SettledOptions): string[] {
  if (thinking != null) return [];
  return [tokens === 0 ? "--thinking=disabled" : `--max-thinking-tokens=${tokens}`];
}

function mcpServersArguments(mcpServers: NonNullable<LaunchOptions["mcpServers"]>, options: SettledOptions): string[] {
  if (Object.keys(mcpServers).length === 0 || serversInInitialize(options)) return [];
  return [`--mcp-config=${toJson("mcpServers", { mcpServers })}`];
}

function serversInInitialize({ mcpServers, mcpServersDelivery }: LaunchOptions): boolean {
  return mcpServersDelivery === "initialize" && Object.keys(mcpServers ?? {}).length > 0;
}

function pluginArguments(plugins: NonNullable<LaunchOptions["plugins"]>, options: SettledOptions): string[] {
  if (pluginsInInitialize(options)) return [];
  return plugins.map(({ path, skipMcpDiscovery }) => `--plugin-dir${skipMcpDiscovery ? "-no-mcp" : ""}=${path}`);
}

function pluginsInInitialize({ plugins, pluginDelivery }: LaunchOptions): boolean {
  return pluginDelivery === "initialize" && (plugins ?? []).length > 0;
}

function extraArguments(extraArgs: NonNullable<LaunchOptions["extraArgs"]>): string[] {
  return Object.entries(extraArgs).flatMap(([name, value]) => {
    // There is one --settings only, and the option is where the two meet.
    if (value === undefined || name === "settings") return [];
    return [value === null ? `--${name}` : `--${name}=${value}`];
  });
}

function systemPromptBlocks(prompt: NonNullable<LaunchOptions["systemPrompt"]>): readonly unknown[] | undefined {
  const own = custom(prompt)?.prompt ?? prompt;
  if (typeof own === "string") return [own];
  return Array.isArray(own) ? own : undefined;
}

function preset(prompt: NonNullable<LaunchOptions["systemPrompt"]>): PresetSystemPrompt | undefined {
  return typeof prompt === "object" && "type" in prompt && prompt.type === "preset" ? prompt : undefined;
}

function custom(prompt: NonNullable<LaunchOptions["systemPrompt"]>): CustomSystemPrompt | undefined {
  return typeof prompt === "object" && "type" in prompt && prompt.type === "custom" ? prompt : undefined;
}
