import type { OnWarning } from "./warnings.ts";

/**
 * The options of a start, under the names of the official Agent SDK. Each is a flag, a variable of the environment or a field of the
 * initialize request; what needs the host while the session runs (callbacks, in-process servers, stores) belongs to the layers above.
 * An option that is `undefined` counts as not given.
 */
export interface LaunchOptions {
  /** More folders that the tools may use. Absolute paths. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Name of the agent that leads the session, from `agents` or the settings. */
  readonly agent?: string | undefined;
  /** Subagents by name. */
  readonly agents?: Readonly<Record<string, AgentDefinition>> | undefined;
  /** Switches on frames with a summary of what a subagent does. */
  readonly agentProgressSummaries?: boolean | undefined;
  /** Has to be true for the permission mode `bypassPermissions`. Default false. */
  readonly allowDangerouslySkipPermissions?: boolean | undefined;
  /** Rules for what may be done without a question, such as `"Read"` or `"Bash(git *)"`. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Beta features of the model API. */
  readonly betas?: readonly string[] | undefined;
  /** Goes on with the latest session of the working directory. Default false. */
  readonly continue?: boolean | undefined;
  /** Working directory of the session. Default: that of the host. */
  readonly cwd?: string | undefined;
  /** Makes the CLI write a debug log. Default false; not read when `debugFile` is given. */
  readonly debug?: boolean | undefined;
  /** Where the debug log goes. */
  readonly debugFile?: string | undefined;
  /** Rules for what is refused. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** How hard the model thinks. A level that this version does not know: `extraArgs: { effort: "..." }`. */
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Keeps copies of the files that are changed, so that they can be rewound. Default false. */
  readonly enableFileCheckpointing?: boolean | undefined;
  /** The whole environment of the child, in place of the host's. See {@link inheritEnv} to add to the host's. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What runs a CLI that is a script: `.js`, `.mjs`, `.ts`, `.tsx`, `.jsx`. Default `"bun"` in a host that is run by bun, else `"node"`. */
  readonly executable?: "bun" | "deno" | "node" | (string & {}) | undefined;
  /** Arguments before everything else: for the interpreter where there is one, else for the CLI. */
  readonly executableArgs?: readonly string[] | undefined;
  /** More flags by name without the dashes; `null` for a flag without a value. Written last. */
  readonly extraArgs?: Readonly<Record<string, string | null | undefined>> | undefined;
  /** Models to take when the main one is overloaded, separated by commas. Not the same as `model`. */
  readonly fallbackModel?: string | undefined;
  /** Resumes under a new session id. Default false. */
  readonly forkSession?: boolean | undefined;
  /** Delivers what subagents write. */
  readonly forwardSubagentText?: boolean | undefined;
  /** Reports hooks that are commands as `hook_started`, `hook_progress` and `hook_response` frames. Default false. */
  readonly includeHookEvents?: boolean | undefined;
  /** Delivers the deltas of a response as `stream_event` frames. Default false. */
  readonly includePartialMessages?: boolean | undefined;
  /** Cost in US dollars above which the session ends. Above 0. */
  readonly maxBudgetUsd?: number | undefined;
  /** Tokens of thinking; 0 for none. Not read when `thinking` is given. */
  readonly maxThinkingTokens?: number | undefined;
  /** Turns after which a run ends with an error result. 0 for no limit. */
  readonly maxTurns?: number | undefined;
  /** Settings that the user's own cannot override. */
  readonly managedSettings?: Settings | undefined;
  /** As `mcpServersDelivery`, for `managedSettings`. Default `"initialize"`; there is no file for them. */
  readonly managedSettingsDelivery?: "argv" | "initialize" | undefined;
  /** External MCP servers by name. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /**
   * `"initialize"` (default): in the initialize request, so that what is secret in them stays private; the CLI waits for that request,
   * which has to be the first line on its input. `"argv"`: on the command line, which other users of the machine can read, and in a private
   * file where they are too long for it. For a CLI before 2.1.261, which does not know `--await-initialize`.
   */
  readonly mcpServersDelivery?: "argv" | "initialize" | undefined;
  /** Model id or alias. */
  readonly model?: string | undefined;
  /**
   * Told what will not do what was probably meant: misspelt options, options without effect, a permission callback that is not asked.
   * Default: a warning of this process with the same code.
   */
  readonly onWarning?: OnWarning | undefined;
  /** A JSON schema that the answer has to meet. */
  readonly outputFormat?:
    | { readonly type: "json_schema"; readonly schema: Readonly<Record<string, unknown>> }
    | undefined;
  /** The CLI. Default: the one that {@link locateClaude} finds. */
  readonly pathToClaudeCodeExecutable?: string | undefined;
  /**
   * How tool calls are permitted; `"manual"` is the name that the CLI shows for `"default"`. A mode that this version does not know:
   * `extraArgs: { "permission-mode": "..." }`.
   */
  readonly permissionMode?:
    | "default"
    | "acceptEdits"
    | "bypassPermissions"
    | "plan"
    | "dontAsk"
    | "auto"
    | "manual"
    | undefined;
  /** The MCP tool that decides what may be done; `"stdio"` asks the host, as `can_use_tool` control requests. */
  readonly permissionPromptToolName?: string | undefined;
  /** Who is asked: `"host"` (default) or `"none"`. */
  readonly permissionPrompts?: "host" | "none" | undefined;
  /** Whether the transcript is kept on disk. Default true. */
  readonly persistSession?: boolean | undefined;
  /** The host can stop single background tasks, so an interrupt spares them. */
  readonly perTaskStopAffordance?: boolean | undefined;
  /** The text of the reminder in plan mode. */
  readonly planModeInstructions?: string | undefined;
  /** Plugins in folders of this machine. */
  readonly plugins?: readonly PluginConfig[] | undefined;
  /**
   * As `mcpServersDelivery`, for `plugins`. `"argv"` as in the official SDK, where they are short; what is too long for the command line
   * goes into the initialize request, unless `"argv"` is given.
   */
  readonly pluginDelivery?: "argv" | "initialize" | undefined;
  /** Where the project's settings are, when not in `cwd`. */
  readonly projectConfigRoot?: string | undefined;
  /** Switches on frames with a suggestion for the next prompt. */
  readonly promptSuggestions?: boolean | undefined;
  /** The session to go on with: its id, or its title. */
  readonly resume?: string | undefined;
  /** With `resume`: the last message (its uuid) to take over. */
  readonly resumeSessionAt?: string | undefined;
  /** With `resumeSessionAt`: the prompt (its uuid) whose turn is dropped. */
  readonly resumeDropsTurn?: string | undefined;
  /** Settings of the sandbox for commands. Merged into `settings`; `enabled: true` also sets `failIfUnavailable`. */
  readonly sandbox?: object | undefined;
  /** The id for a new session: a UUID. With `resume` or `continue` only together with `forkSession`. */
  readonly sessionId?: string | undefined;
  /** Makes the CLI report what it writes to the transcript, as `transcript_mirror` frames. Default false. */
  readonly sessionMirror?: boolean | undefined;
  /** Settings: an object, JSON text, or the path of a file. */
  readonly settings?: string | Settings | undefined;
  /**
   * As `mcpServersDelivery`, for `settings` and `sandbox`. Default `"initialize"`. The path of a settings file is always on the command line.
   */
  readonly settingsDelivery?: "argv" | "initialize" | undefined;
  /** Which settings files are read. Default: all; `[]` for none. */
  readonly settingSources?: readonly ("user" | "project" | "local")[] | undefined;
  /** Skills of the main session, which are then allowed without a question: a list of names, or `"all"`. */
  readonly skills?: readonly string[] | "all" | undefined;
  /** Uses no MCP servers but `mcpServers`. Default false. */
  readonly strictMcpConfig?: boolean | undefined;
  /** Kinds of dialogs that the host can show. */
  readonly supportedDialogKinds?: readonly string[] | undefined;
  /** The system prompt. Default: an empty one, as in the official SDK; `{ type: "preset", preset: "claude_code" }` for that of Claude Code. */
  readonly systemPrompt?:
    | string
    | readonly string[]
    | CustomSystemPrompt
    | PresetSystemPrompt
    | FileSystemPrompt
    | undefined;
  /** Tokens that the whole task may take. */
  readonly taskBudget?: { readonly total: number } | undefined;
  /** Whether and how the model thinks. */
  readonly thinking?: ThinkingConfig | undefined;
  /** Title of the session, in place of one that the CLI makes up. */
  readonly title?: string | undefined;
  /** Other names for tools. */
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
  /** Settings of single tools. */
  readonly toolConfig?:
    | { readonly askUserQuestion?: { readonly previewFormat?: "markdown" | "html" | undefined } | undefined }
    | undefined;
  /** The built-in tools there are: a list of names, `[]` for none, or the preset with all of them. Default: all. */
  readonly tools?: readonly string[] | { readonly type: "preset"; readonly preset: "claude_code" } | undefined;
}

/** Settings as in a `settings.json` of Claude Code. Any object, so that a type of one's own fits. */
export type Settings = object;

/** A subagent. The CLI ignores one without `description` or `prompt`. */
export interface AgentDefinition {
  readonly description: string;
  readonly prompt: string;
  readonly [field: string]: unknown;
}

/** An MCP server that the CLI starts (`stdio`) or connects to. */
export type McpServerConfig =
  | {
      readonly type?: "stdio" | undefined;
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
      readonly [field: string]: unknown;
    }
  | {
      readonly type: "http" | "sse" | (string & {});
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly [field: string]: unknown;
    };

/** A plugin in a folder. */
export interface PluginConfig {
  readonly type: "local";
  /** A relative path counts from the session's working directory. */
  readonly path: string;
  /** Leaves the plugin's MCP servers out. Default false. */
  readonly skipMcpDiscovery?: boolean | undefined;
}

/** A system prompt of one's own, with a switch. */
export interface CustomSystemPrompt {
  readonly type: "custom";
  readonly prompt: string | readonly string[];
  /** Whether the prompt is rendered once (true) or for each request (false). */
  readonly snapshot?: boolean | undefined;
}

/** The system prompt of Claude Code. */
export interface PresetSystemPrompt {
  readonly type: "preset";
  readonly preset: "claude_code";
  /** Text to add. */
  readonly append?: string | undefined;
  /** Leaves out what changes from run to run, so that the prompt can be cached. */
  readonly excludeDynamicSections?: boolean | undefined;
  /** Whether the prompt is rendered once (true) or for each request (false). */
  readonly snapshot?: boolean | undefined;
}

/** A system prompt that the CLI reads from a file. */
export interface FileSystemPrompt {
  readonly type: "file";
  readonly path: string;
}

/** Whether and how the model thinks. */
export type ThinkingConfig =
  | { readonly type: "adaptive"; readonly display?: "summarized" | "omitted" | undefined }
  | {
      readonly type: "enabled";
      readonly budgetTokens?: number | undefined;
      readonly display?: "summarized" | "omitted" | undefined;
    }
  | { readonly type: "disabled" };
