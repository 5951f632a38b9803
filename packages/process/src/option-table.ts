import type { LaunchOptions } from "./launch-options.ts";
import {
  debugArguments,
  disallowedToolsArguments,
  extraArguments,
  type FlagEncoding,
  launchFieldArguments,
  managedSettingsArguments,
  maxThinkingArguments,
  mcpServersArguments,
  persistSessionArguments,
  pluginArguments,
  settingsArguments,
  systemPromptArguments,
  systemPromptFields,
  taskBudgetArguments,
  thinkingArguments,
  toolsArguments,
} from "./option-encoding.ts";
import type { OptionRule } from "./option-rules.ts";
import {
  agentsProblem,
  extraArgsProblem,
  mcpServersProblem,
  outputFormatProblem,
  pluginsProblem,
  settingSourcesProblem,
  settingsProblem,
  skillsProblem,
  systemPromptProblem,
  taskBudgetProblem,
  thinkingProblem,
  toolConfigProblem,
  toolsProblem,
} from "./option-shapes.ts";
import type { SettledOptions } from "./settle-options.ts";
import { toolRules } from "./tool-rules.ts";

/** One option: what it has to be, and how it reaches the CLI. A row without a way is read by the host. */
interface OptionRow<V> {
  readonly rule: OptionRule;
  /** Its flag, and how the value is written. */
  readonly flag?: readonly [`--${string}`, FlagEncoding];
  /** Its arguments, where one flag is not all. */
  readonly args?: (value: V, options: SettledOptions) => readonly string[];
  /** The field of the initialize request that has it as it is. */
  readonly field?: string;
  /** The fields of the initialize request, where it is not just one; members that are `undefined` are left out. */
  readonly fields?: (value: V, options: SettledOptions) => Readonly<Record<string, unknown>>;
  /** The variables of the environment; members that are `undefined` are left out. */
  readonly variables?: (value: V) => Readonly<Record<string, string | undefined>>;
}

/** A row for each option, and for what the options together make necessary. */
type OptionTable = {
  readonly [K in keyof SettledOptions]-?: OptionRow<NonNullable<SettledOptions[K]>>;
};

/**
 * All options, in the order in which the official SDK writes their flags, so that the two can be compared. What can be long, and what can
 * be secret, goes into the initialize request and not on the command line.
 */
const optionTable: OptionTable = {
  executable: { rule: "text" },
  executableArgs: { rule: "texts" },
  pathToClaudeCodeExecutable: { rule: "text" },
  cwd: { rule: "text" },
  env: { rule: "object" },
  onWarning: { rule: functionProblem },

  thinking: { rule: thinkingProblem, args: thinkingArguments },
  maxThinkingTokens: { rule: "count", args: maxThinkingArguments },
  effort: { rule: ["low", "medium", "high", "xhigh", "max"], flag: ["--effort", "value"] },
  maxTurns: { rule: "count", flag: ["--max-turns", "value"] },
  maxBudgetUsd: { rule: "amount", flag: ["--max-budget-usd", "any-value"] },
  taskBudget: { rule: taskBudgetProblem, args: taskBudgetArguments },
  model: { rule: "text", flag: ["--model", "value"] },
  agent: { rule: "text", flag: ["--agent", "value"] },
  betas: { rule: "texts", flag: ["--betas", "list"] },
  outputFormat: { rule: outputFormatProblem, fields: ({ schema }) => ({ jsonSchema: schema }) },
  systemPrompt: { rule: systemPromptProblem, args: systemPromptArguments, fields: systemPromptFields },
  planModeInstructions: { rule: "text", field: "planModeInstructions" },
  debugFile: { rule: "text", flag: ["--debug-file", "value"] },
  debug: { rule: "switch", args: debugArguments },
  permissionPromptToolName: { rule: "text", flag: ["--permission-prompt-tool", "value"] },
  permissionPrompts: { rule: ["host", "none"], flag: ["--permission-prompts", "value"] },
  continue: { rule: "switch", flag: ["--continue", "switch"] },
  resume: { rule: "text", flag: ["--resume", "value"] },
  allowedTools: { rule: "texts", flag: ["--allowedTools", "list"] },
  disallowedTools: {
    rule: "texts",
    args: disallowedToolsArguments,
    fields: (rules, { inInitialize }) =>
      inInitialize.has("disallowedTools") ? { disallowedTools: toolRules(rules) } : {},
  },
  tools: { rule: toolsProblem, args: toolsArguments },
  toolAliases: { rule: "object", field: "toolAliases" },
  mcpServers: {
    rule: mcpServersProblem,
    args: mcpServersArguments,
    fields: (mcpServers, { inInitialize }) => (inInitialize.has("mcpServers") ? { mcpServers } : {}),
  },
  mcpServersDelivery: { rule: ["argv", "initialize"] },
  settingSources: { rule: settingSourcesProblem, flag: ["--setting-sources", "any-list"] },
  strictMcpConfig: { rule: "switch", flag: ["--strict-mcp-config", "switch"] },
  permissionMode: {
    rule: ["default", "acceptEdits", "auto", "bypassPermissions", "dontAsk", "manual", "plan"],
    flag: ["--permission-mode", "value"],
  },
  allowDangerouslySkipPermissions: { rule: "switch", flag: ["--allow-dangerously-skip-permissions", "switch"] },
  fallbackModel: { rule: "text", flag: ["--fallback-model", "value"] },
  includeHookEvents: { rule: "switch", flag: ["--include-hook-events", "switch"] },
  includePartialMessages: { rule: "switch", flag: ["--include-partial-messages", "switch"] },
  sessionMirror: { rule: "switch", flag: ["--session-mirror", "switch"] },
  projectConfigRoot: { rule: "text", flag: ["--project-config-root", "any-value"] },
  additionalDirectories: { rule: "texts", flag: ["--add-dir", "each"] },
  awaitInitialize: { rule: "switch", flag: ["--await-initialize", "switch"] },
  plugins: {
    rule: pluginsProblem,
    args: pluginArguments,
    fields: (plugins, { inInitialize }) => (inInitialize.has("plugins") ? { plugins } : {}),
  },
  pluginDelivery: { rule: ["argv", "initialize"] },
  agents: { rule: agentsProblem, field: "agents" },
  skills: { rule: skillsProblem, fields: (skills) => (skills === "all" ? {} : { skills }) },
  title: { rule: "text", field: "title" },
  promptSuggestions: { rule: "switch", field: "promptSuggestions" },
  agentProgressSummaries: { rule: "switch", field: "agentProgressSummaries" },
  forwardSubagentText: { rule: "switch", field: "forwardSubagentText" },
  supportedDialogKinds: { rule: "texts", field: "supportedDialogKinds" },
  perTaskStopAffordance: { rule: "switch", field: "perTaskStopAffordance" },
  forkSession: { rule: "switch", flag: ["--fork-session", "switch"] },
  resumeSessionAt: { rule: "text", flag: ["--resume-session-at", "value"] },
  resumeDropsTurn: { rule: "text", flag: ["--resume-drops-turn", "any-value"] },
  sessionId: { rule: "uuid", flag: ["--session-id", "value"] },
  persistSession: { rule: "switch", args: persistSessionArguments },
  enableFileCheckpointing: {
    rule: "switch",
    variables: (enable) => ({ CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: enable ? "true" : undefined }),
  },
  toolConfig: {
    rule: toolConfigProblem,
    variables: (config) => ({ CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: config.askUserQuestion?.previewFormat }),
  },
  inInitialize: { rule: "object", args: launchFieldArguments },
  managedSettings: {
    rule: "object",
    args: managedSettingsArguments,
    fields: (managedSettings, { inInitialize }) => (inInitialize.has("managedSettings") ? { managedSettings } : {}),
  },
  managedSettingsDelivery: { rule: ["argv", "initialize"] },
  extraArgs: { rule: extraArgsProblem, args: extraArguments },
  settings: {
    rule: settingsProblem,
    args: settingsArguments,
    fields: (settings, { inInitialize }) =>
      inInitialize.has("settings") ? { settings: typeof settings === "string" ? JSON.parse(settings) : settings } : {},
  },
  settingsDelivery: { rule: ["argv", "initialize"] },
  sandbox: { rule: "object" },
};

/** A row, whatever the type of its option. */
interface AnyOptionRow {
  readonly option: string;
  readonly row: OptionRow<unknown>;
}

/** The rows in order. */
export function optionRows(): readonly AnyOptionRow[] {
  // The functions of a row take the value of its option, and are given no other; TypeScript cannot relate the two over a union.
  const rows = Object.entries(optionTable) as unknown as [string, OptionRow<unknown>][];
  return rows.map(([option, row]) => ({ option, row }));
}

/** Names of the given options that act only where the process of the CLI is started: by its command line, environment or folder. */
export function processOptions(options: LaunchOptions): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(options));
  return optionRows().flatMap(({ option, row }) => {
    const isInRequest = row.field !== undefined || row.fields !== undefined;
    return given.get(option) == null || isInRequest || aboutOthers.includes(option) ? [] : [option];
  });
}

/** Options that say how to treat other ones. */
const aboutOthers: readonly string[] = [
  "managedSettingsDelivery",
  "mcpServersDelivery",
  "onWarning",
  "pluginDelivery",
  "sandbox",
  "settingsDelivery",
];

/** Names of the options of a start. */
export function launchOptionNames(): readonly (keyof LaunchOptions)[] {
  const together: readonly string[] = ["awaitInitialize", "inInitialize"];
  // The keys of the table are those of SettledOptions, by its type.
  return (Object.keys(optionTable) as (keyof SettledOptions)[]).filter(
    (name): name is keyof LaunchOptions => !together.includes(name),
  );
}

function functionProblem(value: unknown): string | undefined {
  return typeof value === "function" ? undefined : "has to be a function.";
}
