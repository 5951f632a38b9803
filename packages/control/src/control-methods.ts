import type {
  ContextUsageResponse,
  HooksListing,
  InitializeResponse,
  InterruptResponse,
  McpCallRequest,
  McpCallResponse,
  McpResourceContents,
  McpServerStatus,
  ModelInfo,
  OutboundFields,
  OutboundResponse,
  OutboundSubtype,
  PermissionMode,
  PermissionRulesState,
  PluginConfig,
  ReadFileResponse,
  ReloadPluginsResponse,
  RewindFilesResponse,
  SetCwdRequest,
  SetCwdResponse,
  SettingsResponse,
  SlashCommand,
  UsageResponse,
} from "@reins/messages";
import { CapabilityError, ControlError } from "./errors.ts";

/** How one control request is sent. */
export interface RequestOptions {
  /** Gives the request up: it rejects with the signal's reason, and the CLI is told. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds until the request is given up with a ControlTimeoutError; `Infinity` for never. Default: the client's
   * `requestTimeoutMs`, and never for what a model, a user or a tool takes part in (`side_question`, `mcp_call`, ...).
   */
  readonly timeoutMs?: number | undefined;
}

/** Fields of a request under their wire names, without the subtype. Those of a subtype that is not known are open. */
export type RequestFieldsOf<Subtype extends string> = Subtype extends OutboundSubtype
  ? OutboundFields<Subtype>
  : Readonly<Record<string, unknown>>;

/** What the CLI answers to a request, `{}` where it has nothing to say. */
export type ResponseOf<Subtype extends string> = Subtype extends OutboundSubtype
  ? OutboundResponse<Subtype>
  : Readonly<Record<string, unknown>>;

/**
 * What a host can ask of a running CLI, one method for each control request.
 *
 * Each is {@link ControlMethods.request} with the fields filled in, and rejects as that does. Names and results are those of the
 * official SDK where it has the method.
 */
export abstract class ControlMethods {
  /**
   * Sends a control request and gives the CLI's answer.
   *
   * @param subtype One that the types know, or any other that the CLI knows.
   * @throws {@link ControlError} when the CLI refuses, {@link ControlTimeoutError} at the deadline, the reason of `options.signal`
   * when it aborts, and the error that ended the session when it ends first.
   */
  abstract request<Subtype extends OutboundSubtype | (string & {})>(
    subtype: Subtype,
    fields?: RequestFieldsOf<Subtype>,
    options?: RequestOptions,
  ): Promise<ResponseOf<Subtype>>;

  /** The CLI's answer to the first initialize request. Rejects when it refused. */
  abstract initializationResult(): Promise<InitializeResponse>;

  /**
   * Whether the CLI said that it can do something, such as `"interrupt_receipt_v1"`. It says part of it with the initialization and
   * the rest with the first turn; false before.
   */
  abstract supports(capability: string): boolean;

  /**
   * Interrupts the turn. The session goes on, and the turn ends with a result.
   *
   * @param options `cancelQueued` also takes back the prompts that wait; an older CLI ignores it.
   * @returns The uuids of prompts that will still run, and of those that were cancelled; `undefined` when the CLI is too old to say.
   */
  async interrupt(
    options: { readonly cancelQueued?: boolean | undefined } & RequestOptions = {},
  ): Promise<InterruptResponse | undefined> {
    const { cancelQueued, ...rest } = options;
    const answer = await this.request("interrupt", cancelQueued ? { cancel_queued: true } : {}, rest);
    return Array.isArray(answer.still_queued) ? answer : undefined;
  }

  /** Takes back a prompt that waits, by its uuid. False when it is not waiting: begun, over, or never sent. */
  async cancelAsyncMessage(messageUuid: string): Promise<boolean> {
    return (await this.request("cancel_async_message", { message_uuid: messageUuid })).cancelled === true;
  }

  /** Changes how tool calls are permitted from now on. */
  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.request("set_permission_mode", { mode });
  }

  /**
   * Makes the calls of one MCP server be asked about more often; it cannot loosen.
   *
   * @param mode `null` takes the override back.
   * @returns A warning for a server that is not known yet; the override is kept all the same.
   */
  setMcpPermissionModeOverride(
    serverName: string,
    mode: "default" | "auto" | null,
  ): Promise<{ readonly warning?: string }> {
    return this.request("set_mcp_permission_mode_override", { serverName, mode });
  }

  /** Changes the model from now on; without an argument back to the default. The CLI tries it with a request of one token. */
  async setModel(model?: string): Promise<void> {
    await this.request("set_model", { model });
  }

  /** Changes how much the model thinks, in tokens, and how much of it is shown. `null` goes back to the default. */
  async setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: "summarized" | "omitted" | "highlights" | null,
  ): Promise<void> {
    await this.request("set_max_thinking_tokens", {
      max_thinking_tokens: maxThinkingTokens,
      thinking_display: thinkingDisplay,
    });
  }

  /** Changes settings of this session only. Top-level keys replace, `null` takes a key back; one bad key refuses all. */
  async applyFlagSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.request("apply_flag_settings", { settings });
  }

  /** Writes a settings file. Of `localSettings` only `outputStyle`, of `userSettings` only `effortLevel`. */
  async updateSettings(
    source: "localSettings" | "userSettings",
    settings: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.request("update_settings", { source, settings });
  }

  /** The settings that are in force, and where they come from. */
  getSettings(): Promise<SettingsResponse> {
    return this.request("get_settings");
  }

  /** The permission rules that are in force. */
  async listPermissionRules(): Promise<PermissionRulesState> {
    return (await this.request("list_permission_rules")).state;
  }

  /** The hooks of settings files and plugins; not those of the host. */
  getHooksListing(): Promise<HooksListing> {
    return this.request("get_hooks_listing");
  }

  /** The commands that prompts may begin with, as of the initialization. */
  async supportedCommands(): Promise<SlashCommand[]> {
    return (await this.initializationResult()).commands;
  }

  /** The models on offer, as of the initialization. */
  async supportedModels(): Promise<InitializeResponse["models"]> {
    return (await this.initializationResult()).models;
  }

  /** The agents that the session can call, as of the initialization. */
  async supportedAgents(): Promise<InitializeResponse["agents"]> {
    return (await this.initializationResult()).agents;
  }

  /** The account in use, as of the initialization. */
  async accountInfo(): Promise<InitializeResponse["account"]> {
    return (await this.initializationResult()).account;
  }

  /** The models on offer now. */
  async listModels(): Promise<ModelInfo[]> {
    return (await this.request("list_models")).models;
  }

  /** Version and build of the CLI. */
  getBinaryVersion(): Promise<OutboundResponse<"get_binary_version">> {
    return this.request("get_binary_version");
  }

  /** What fills the context window. `full`, the default, lets the API count; `summary` makes no call. */
  getContextUsage(options: { readonly detail?: "summary" | "full" } = {}): Promise<ContextUsageResponse> {
    return this.request("get_context_usage", { detail: options.detail });
  }

  /** Totals of the session, and the limits of a subscription. */
  getUsage(options: { readonly skipBehaviors?: boolean } = {}): Promise<UsageResponse> {
    return this.request("get_usage", options.skipBehaviors ? { skip_behaviors: true } : {});
  }

  /** The cost of the session as a text for people. */
  async getSessionCost(): Promise<string> {
    return (await this.request("get_session_cost")).text;
  }

  /** The rows of the CLI's status page. */
  async getStatus(): Promise<OutboundResponse<"get_status">["sections"]> {
    return (await this.request("get_status")).sections;
  }

  /** Paths that match what a user began to type. The index fills by and by, so an early question may find nothing. */
  fileSuggestions(query: string): Promise<OutboundResponse<"file_suggestions">> {
    return this.request("file_suggestions", { query });
  }

  /** Reads a file as far as the CLI may. `null` when it refuses: missing, forbidden and unreadable look alike. */
  async readFile(
    path: string,
    options: { readonly maxBytes?: number; readonly encoding?: "utf-8" | "base64" } = {},
  ): Promise<ReadFileResponse | null> {
    try {
      return await this.request("read_file", { path, max_bytes: options.maxBytes, encoding: options.encoding });
    } catch (error) {
      if (error instanceof ControlError) return null;
      throw error;
    }
  }

  /** The plan of plan mode. */
  getPlan(): Promise<OutboundResponse<"get_plan">> {
    return this.request("get_plan");
  }

  /** What changed in the working directory, as the CLI shows it. */
  getWorkspaceDiff(): Promise<OutboundResponse<"get_workspace_diff">> {
    return this.request("get_workspace_diff");
  }

  /** The conversation as a text file, with a proposal for its name. */
  exportConversation(): Promise<OutboundResponse<"export_conversation">> {
    return this.request("export_conversation");
  }

  /** Gives the session a title. */
  async renameSession(title: string): Promise<void> {
    await this.request("rename_session", { title, source: "host" });
  }

  /** Lets the model find a title. `null` when it found none. */
  async generateSessionTitle(
    description: string,
    options: { readonly persist?: boolean } & RequestOptions = {},
  ): Promise<string | null> {
    const { persist, ...rest } = options;
    return (await this.request("generate_session_title", { description, persist }, rest)).title;
  }

  /** Asks the model beside the turn. Nothing of it is kept in the conversation. `null` when it had no answer. */
  async askSideQuestion(
    question: string,
    options: { readonly history?: unknown } & RequestOptions = {},
  ): Promise<OutboundResponse<"side_question">> {
    const { history, ...rest } = options;
    return this.request("side_question", { question, history }, rest);
  }

  /**
   * Changes the working directory. The first call may answer `needs_trust`: call again with its `directory` as `trusted_directory`
   * and `trust_accepted`.
   */
  setCwd(path: string, trust: Omit<SetCwdRequest, "subtype" | "path"> = {}): Promise<SetCwdResponse> {
    return this.request("set_cwd", { path, ...trust });
  }

  /** Adds a directory to the workspace. It has to lie below the working directory or an added one. */
  async registerRepoRoot(
    directory: string,
    options: {
      readonly reloadClaudeMd?: boolean;
      readonly reloadPlugins?: boolean;
      readonly reloadSkills?: boolean;
    } = {},
  ): Promise<string> {
    const answer = await this.request("register_repo_root", {
      directory,
      reload_claude_md: options.reloadClaudeMd,
      reload_plugins: options.reloadPlugins,
      reload_skills: options.reloadSkills,
    });
    return answer.directory;
  }

  /**
   * Loads plugins again. `refuseIfBusy` refuses while a turn runs.
   *
   * @throws {@link CapabilityError} when the CLI is too old for `refuseIfBusy`.
   */
  async reloadPlugins(
    options: {
      readonly holdOnCacheImpact?: boolean;
      readonly addPlugins?: readonly PluginConfig[];
      readonly refuseIfBusy?: boolean;
    } = {},
  ): Promise<ReloadPluginsResponse> {
    if (options.refuseIfBusy) demand(this, "reload_plugins_refuse_if_busy_v1", "refuseIfBusy");
    return this.request("reload_plugins", {
      hold_on_cache_impact: options.holdOnCacheImpact,
      add_plugins: options.addPlugins,
      refuse_if_busy: options.refuseIfBusy,
    });
  }

  /** Reads skills and commands again. */
  reloadSkills(): Promise<OutboundResponse<"reload_skills">> {
    return this.request("reload_skills");
  }

  /** Reads output styles again. */
  reloadOutputStyles(): Promise<OutboundResponse<"reload_output_styles">> {
    return this.request("reload_output_styles");
  }

  /** Sets files back to where they were before a prompt. Needs file checkpointing. `dryRun` only tells what would happen. */
  rewindFiles(userMessageId: string, options: { readonly dryRun?: boolean } = {}): Promise<RewindFilesResponse> {
    return this.request("rewind_files", { user_message_id: userMessageId, dry_run: options.dryRun });
  }

  /** Tells the CLI that a file was read, so that it may be edited. `mtime` in milliseconds since 1970. */
  async seedReadState(path: string, mtime: number): Promise<void> {
    await this.request("seed_read_state", { path, mtime });
  }

  /** The MCP servers and how they are. */
  async mcpServerStatus(): Promise<McpServerStatus[]> {
    return (await this.request("mcp_status")).mcpServers;
  }

  /** Dials an MCP server again. Not for servers of the host. */
  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.request("mcp_reconnect", { serverName });
  }

  /** Begins the sign-in at an MCP server that asks for one. What the CLI answers has no types yet; `authUrl` is what a person opens. */
  mcpAuthenticate(serverName: string, redirectUri?: string): Promise<ResponseOf<"mcp_authenticate">> {
    return this.request("mcp_authenticate", { serverName, ...(redirectUri !== undefined && { redirectUri }) });
  }

  /** Switches an MCP server on or off. */
  async toggleMcpServer(serverName: string, enabled: boolean): Promise<void> {
    await this.request("mcp_toggle", { serverName, enabled });
  }

  /** Reads a `ui://` resource of an MCP server. Not for servers of the host. */
  readMcpResource(serverName: string, uri: string): Promise<{ readonly contents: McpResourceContents[] }> {
    return this.request("mcp_read_resource", { serverName, uri });
  }

  /**
   * Calls a tool of an MCP server without the model, by its whole name (`mcp__server__tool`). Not for servers of the host.
   *
   * @throws {@link CapabilityError} when the CLI is too old for `check_permissions`: it would run the tool without asking.
   */
  async callMcpTool(
    tool: string,
    toolArguments: Readonly<Record<string, unknown>> = {},
    options: Omit<McpCallRequest, "subtype" | "tool" | "arguments"> & RequestOptions = {},
  ): Promise<McpCallResponse> {
    const { signal, timeoutMs, ...fields } = options;
    if (fields.check_permissions) demand(this, "mcp_call_check_permissions_v1", "check_permissions");
    return this.request("mcp_call", { tool, arguments: toolArguments, ...fields }, { signal, timeoutMs });
  }

  /** Stops a task in the background. Succeeds for an unknown id too. */
  async stopTask(taskId: string): Promise<void> {
    await this.request("stop_task", { task_id: taskId });
  }

  /** Moves a running tool, or all of them, to the background. False when the tool was not announced as a task yet. */
  async backgroundTasks(toolUseId?: string): Promise<boolean> {
    const answer = await this.request("background_tasks", { tool_use_id: toolUseId });
    return answer.backgrounded ?? true;
  }

  /** The last 8 KiB that a task wrote. */
  getTaskOutput(taskId: string): Promise<OutboundResponse<"get_task_output">> {
    return this.request("get_task_output", { task_id: taskId });
  }

  /** Tells the CLI whether anybody watches; `null` for unknown. */
  async setHasSubscribers(hasSubscribers: boolean | null): Promise<void> {
    await this.request("set_has_subscribers", { has_subscribers: hasSubscribers });
  }

  /** Pauses prompt suggestions, or lets them come again. */
  async setPromptSuggestionsPaused(paused: boolean): Promise<void> {
    await this.request("set_prompt_suggestions_paused", { paused });
  }

  /** Lets the CLI end by itself. It exits with code 0, in the middle of a turn too. */
  async endSession(reason?: string): Promise<void> {
    await this.request("end_session", { reason });
  }
}

function demand(session: ControlMethods, capability: string, what: string): void {
  if (!session.supports(capability)) throw new CapabilityError(what, capability);
}
