import { toJson } from "./json.ts";
import type {
  CustomSystemPrompt,
  FileSystemPrompt,
  LaunchOptions,
  PluginConfig,
  PresetSystemPrompt,
} from "./launch-options.ts";
import type { SettledOptions } from "./settle-options.ts";

/**
 * How an option is written on the command line. A value is always in one token with its flag. In a token of its own, one that begins
 * with `-` would be taken for a flag, and flags with an optional value or a list of them take what follows.
 * - `"switch"`: `--flag`, when true.
 * - `"value"`: `--flag=value`; an empty string and 0 send nothing.
 * - `"any-value"`: `--flag=value`, also when it is empty or 0.
 * - `"list"`: `--flag=a,b`; an empty list sends nothing.
 * - `"any-list"`: `--flag=a,b`, and `--flag=` for an empty list, which means none.
 * - `"each"`: `--flag=a --flag=b`.
 */
export type FlagEncoding = "switch" | "value" | "any-value" | "list" | "any-list" | "each";

/** The tokens of a value that has passed its rule. */
export function encodeFlag(encoding: FlagEncoding, flag: string, value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (encoding) {
    case "switch":
      return value ? [flag] : [];
    case "value":
      return value ? [`${flag}=${value}`] : [];
    case "any-value":
      return [`${flag}=${value}`];
    case "list":
      return items.length === 0 ? [] : [`${flag}=${items.join(",")}`];
    case "any-list":
      return [`${flag}=${items.join(",")}`];
    case "each":
      return items.map((item) => `${flag}=${item}`);
  }
}

type Given<K extends keyof LaunchOptions> = NonNullable<LaunchOptions[K]>;

export function thinkingArguments(thinking: Given<"thinking">): readonly string[] {
  if (thinking.type === "disabled") return ["--thinking=disabled"];
  const isBudget = thinking.type === "enabled" && thinking.budgetTokens != null;
  const how = isBudget ? `--max-thinking-tokens=${thinking.budgetTokens}` : "--thinking=adaptive";
  return thinking.display == null ? [how] : [how, `--thinking-display=${thinking.display}`];
}

export function maxThinkingArguments(tokens: number, { thinking }: SettledOptions): readonly string[] {
  if (thinking != null) return [];
  return [tokens === 0 ? "--thinking=disabled" : `--max-thinking-tokens=${tokens}`];
}

export function taskBudgetArguments({ total }: Given<"taskBudget">): readonly string[] {
  return [`--task-budget=${total}`];
}

export function debugArguments(debug: boolean, { debugFile }: SettledOptions): readonly string[] {
  return debug && !debugFile ? ["--debug"] : [];
}

export function persistSessionArguments(persist: boolean): readonly string[] {
  return persist ? [] : ["--no-session-persistence"];
}

export function toolsArguments(tools: Given<"tools">): readonly string[] {
  return [Array.isArray(tools) ? `--tools=${tools.join(",")}` : "--tools=default"];
}

export function mcpServersArguments(
  mcpServers: Given<"mcpServers">,
  { inInitialize }: SettledOptions,
): readonly string[] {
  if (Object.keys(mcpServers).length === 0 || inInitialize.has("mcpServers")) return [];
  return [`--mcp-config=${toJson("mcpServers", { mcpServers })}`];
}

export function pluginArguments(plugins: readonly PluginConfig[], { inInitialize }: SettledOptions): readonly string[] {
  if (inInitialize.has("plugins")) return [];
  return plugins.map(({ path, skipMcpDiscovery }) => `--plugin-dir${skipMcpDiscovery ? "-no-mcp" : ""}=${path}`);
}

export function disallowedToolsArguments(
  tools: readonly string[],
  { inInitialize }: SettledOptions,
): readonly string[] {
  return inInitialize.has("disallowedTools") ? [] : encodeFlag("list", "--disallowedTools", tools);
}

export function settingsArguments(settings: Given<"settings">, { inInitialize }: SettledOptions): readonly string[] {
  return inInitialize.has("settings") ? [] : encodeFlag("value", "--settings", settings);
}

export function managedSettingsArguments(settings: object, { inInitialize }: SettledOptions): readonly string[] {
  return inInitialize.has("managedSettings") ? [] : [`--managed-settings=${toJson("managedSettings", settings)}`];
}

export function extraArguments(extraArgs: Given<"extraArgs">): readonly string[] {
  return Object.entries(extraArgs).flatMap(([name, value]) => {
    // Settings are merged into the one flag that there may be.
    if (value === undefined || (name === "settings" && value !== null)) return [];
    // In two parts as with the official SDK, so that a switch can be given with an empty value: published programs do.
    if (value === "") return [`--${name}`, ""];
    return [value === null ? `--${name}` : `--${name}=${value}`];
  });
}

/** Tells the CLI which fields of the initialize request it has to wait for beside those that it always reads. */
export function launchFieldArguments(inInitialize: SettledOptions["inInitialize"]): readonly string[] {
  const named = (["settings", "disallowedTools"] as const).filter((field) => inInitialize.has(field));
  return [
    ...(named.length === 0 ? [] : [`--initialize-fields=${named.join(",")}`]),
    ...(inInitialize.has("managedSettings") ? ["--managed-settings-in-initialize"] : []),
  ];
}

type SystemPrompt = Given<"systemPrompt">;

export function systemPromptArguments(prompt: SystemPrompt): readonly string[] {
  const file = promptOf<FileSystemPrompt>("file", prompt);
  return file === undefined ? [] : [`--system-prompt-file=${file.path}`];
}

/** What the initialize request says of the system prompt. */
export function systemPromptFields(prompt: SystemPrompt): Readonly<Record<string, unknown>> {
  const preset = promptOf<PresetSystemPrompt>("preset", prompt);
  const custom = promptOf<CustomSystemPrompt>("custom", prompt);
  const own = custom?.prompt ?? prompt;
  return {
    systemPrompt: typeof own === "string" ? [own] : Array.isArray(own) ? own : undefined,
    appendSystemPrompt: preset?.append,
    systemPromptSnapshot: (preset ?? custom)?.snapshot,
    excludeDynamicSections: preset?.excludeDynamicSections,
  };
}

function promptOf<T extends Extract<SystemPrompt, { type: string }>>(
  type: T["type"],
  prompt: SystemPrompt,
): T | undefined {
  // Each type of prompt has a `type` of its own.
  return typeof prompt === "object" && "type" in prompt && prompt.type === type ? (prompt as T) : undefined;
}
