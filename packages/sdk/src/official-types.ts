// The types of the official Agent SDK under its names, so that a program needs another import and nothing else.

import type { HookMatcher } from "@reins/control";
import type {
  AgentDefinition as AgentFields,
  HookSpecificOutputs,
  HostUserContent,
  McpServerStatus,
  OutboundRequests,
  PermissionRuleEntry,
  PermissionRulesState,
  PreToolUseHookSpecificOutput,
  ResultSuccessMessage,
  SandboxSettings,
  SessionEndHookInput,
  StatusMessage,
  UserFrame,
  UserMessage,
} from "@reins/messages";
import type { McpSdkServerConfig, Options } from "./options.ts";

export type { Elicitation as ElicitationRequest, UserDialog as UserDialogRequest } from "@reins/control";
// Control requests
// Hooks
// Messages
// Permissions
// MCP servers and tools
// Everything else
export type {
  AccountInfo,
  ActiveGoalMessage as SDKActiveGoalMessage,
  AgentInfo,
  ApiKeySource,
  ApiRetryMessage as SDKAPIRetryMessage,
  AssistantError as SDKAssistantMessageError,
  AssistantMessage as SDKAssistantMessage,
  AsyncHookOutput as AsyncHookJSONOutput,
  AuthStatusMessage as SDKAuthStatusMessage,
  BackgroundTaskSummary,
  BackgroundTasksChangedMessage as SDKBackgroundTasksChangedMessage,
  CommandsChangedMessage as SDKCommandsChangedMessage,
  CompactBoundaryMessage as SDKCompactBoundaryMessage,
  ConfigChangeHookInput,
  ContextUsage as SDKContextUsage,
  ContextUsageCategory as SDKContextUsageCategory,
  ContextUsageResponse as SDKControlGetContextUsageResponse,
  ControlRequest as SDKControlRequest,
  ControlRequestProgressMessage as SDKControlRequestProgressMessage,
  ControlResponse as SDKControlResponse,
  ConversationResetMessage as SDKConversationResetMessage,
  CwdChangedHookInput,
  DeferredToolUse as SDKDeferredToolUse,
  DirectoryAddedHookInput,
  EffortLevel,
  ElicitationCompleteMessage as SDKElicitationCompleteMessage,
  ElicitationHookInput,
  ElicitationResponse as ElicitationResult,
  ElicitationResultHookInput,
  FastModeDisabledReason,
  FastModeState,
  FileChangedHookInput,
  FilesPersistedMessage as SDKFilesPersistedEvent,
  HookEvent,
  HookInput,
  HookInputBase as BaseHookInput,
  HookOutput as HookJSONOutput,
  HookProgressMessage as SDKHookProgressMessage,
  HookResponseMessage as SDKHookResponseMessage,
  HookStartedMessage as SDKHookStartedMessage,
  InformationalMessage as SDKInformationalMessage,
  InitializeResponse as SDKControlInitializeResponse,
  InstructionsLoadedHookInput,
  InterruptResponse as SDKControlInterruptResponse,
  LocalCommandOutputMessage as SDKLocalCommandOutputMessage,
  McpClaudeAiProxyServerConfig as McpClaudeAIProxyServerConfig,
  McpHttpServerConfig,
  McpResourceLink as SDKMcpResourceLink,
  McpServerConfig as McpServerConfigForProcessTransport,
  McpServerProvenance,
  McpServerStatus,
  McpSetServersResult,
  McpSseServerConfig as McpSSEServerConfig,
  McpStdioServerConfig,
  McpToolPolicy as McpServerToolPolicy,
  MemoryRecallMessage as SDKMemoryRecallMessage,
  Message as SDKMessage,
  MessageDisplayHookInput,
  MessageDisplayHookSpecificOutput,
  MessageOrigin as SDKMessageOrigin,
  MirrorErrorMessage as SDKMirrorErrorMessage,
  ModelInfo,
  ModelRefusalFallbackMessage as SDKModelRefusalFallbackMessage,
  ModelRefusalNoFallbackMessage as SDKModelRefusalNoFallbackMessage,
  ModelUsage,
  NotificationHookInput,
  NotificationMessage as SDKNotificationMessage,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionDenial as SDKPermissionDenial,
  PermissionDeniedHookInput,
  PermissionDeniedHookSpecificOutput,
  PermissionDeniedMessage as SDKPermissionDeniedMessage,
  PermissionMode,
  PermissionRequestHookInput,
  PermissionRequestHookSpecificOutput,
  PermissionResult,
  PermissionRule as PermissionRuleValue,
  PermissionRuleEntry as SDKPermissionRuleEntry,
  PermissionRulesState as SDKControlPermissionRulesState,
  PermissionUpdate,
  PermissionUpdateDestination,
  PluginConfig as SdkPluginConfig,
  PluginInstallMessage as SDKPluginInstallMessage,
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PostToolUseHookSpecificOutput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  PreModelSwitchHookSpecificOutput,
  PreToolUseHookInput,
  PreToolUseHookSpecificOutput,
  PromptSuggestionMessage as SDKPromptSuggestionMessage,
  RateLimitInfo as SDKRateLimitInfo,
  RateLimitMessage as SDKRateLimitEvent,
  ReadFileResponse as SDKControlReadFileResponse,
  ReloadPluginsResponse as SDKControlReloadPluginsResponse,
  ResultErrorMessage as SDKResultError,
  ResultMessage as SDKResultMessage,
  ResultSuccessMessage as SDKResultSuccess,
  RewindFilesResponse as RewindFilesResult,
  SandboxCredentialSettings as SandboxCredentialsConfig,
  SandboxFilesystemSettings as SandboxFilesystemConfig,
  SandboxNetworkSettings as SandboxNetworkConfig,
  SandboxSettings,
  SessionCronSummary,
  SessionEndHookInput,
  SessionInfo as SDKSessionInfo,
  SessionKey,
  SessionMessage,
  SessionStartHookInput,
  SessionStartHookSpecificOutput,
  SessionStateChangedMessage as SDKSessionStateChangedMessage,
  SessionWritesLostMessage as SDKSessionWritesLostMessage,
  SettingSource as ConfigScope,
  SettingSource,
  SettingsParseError as SDKSettingsParseError,
  SetupHookInput,
  SlashCommand,
  StartupFailureReason as SDKStartupFailureReason,
  StatusMessage as SDKStatusMessage,
  StopFailureHookInput,
  StopHookInput,
  StreamEventMessage as SDKPartialAssistantMessage,
  SubagentStartHookInput,
  SubagentStopHookInput,
  SyncHookOutput as SyncHookJSONOutput,
  SystemInitMessage as SDKSystemMessage,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TaskNotificationMessage as SDKTaskNotificationMessage,
  TaskProgressMessage as SDKTaskProgressMessage,
  TaskStartedMessage as SDKTaskStartedMessage,
  TaskUpdatedMessage as SDKTaskUpdatedMessage,
  TeammateIdleHookInput,
  TerminalReason,
  ThinkingAdaptive,
  ThinkingConfig,
  ThinkingDisabled,
  ThinkingEnabled,
  ThinkingTokensMessage as SDKThinkingTokensMessage,
  ToolProgressMessage as SDKToolProgressMessage,
  ToolUseSummaryMessage as SDKToolUseSummaryMessage,
  UsageReport as SDKUsageReport,
  UsageResponse as SDKControlGetUsageResponse,
  UserDialogResponse as UserDialogResult,
  UserPromptExpansionHookInput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookInput,
  UserPromptSubmitHookSpecificOutput,
  UserReplayMessage as SDKUserMessageReplay,
  WorkerShuttingDownMessage as SDKWorkerShuttingDownMessage,
  WorktreeCreateHookInput,
  WorktreeCreateHookSpecificOutput,
  WorktreeRemoveHookInput,
} from "@reins/messages";
export type { SpawnedProcess, SpawnOptions } from "@reins/process";
// Sessions and stores
export type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionOptions as ImportSessionToStoreOptions,
  ListSessionsOptions,
  SessionLocation as GetSessionInfoOptions,
  SessionLocation as ListSubagentsOptions,
  SessionLocation as SessionMutationOptions,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "@reins/sessions";
export type {
  RawShape as AnyZodRawShape,
  ShapeOutput as InferShape,
  ToolDefinition as SdkMcpToolDefinition,
} from "@reins/toolhost";

/** The answer to {@link Query.listPermissionRules}. */
export type SDKControlListPermissionRulesResponse = OutboundRequests["list_permission_rules"]["response"];
/** The answer to {@link Query.readMcpResource}. */
export type SDKControlMcpReadResourceResponse = OutboundRequests["mcp_read_resource"]["response"];
/** The answer to {@link Query.reloadOutputStyles}. */
export type SDKControlReloadOutputStylesResponse = OutboundRequests["reload_output_styles"]["response"];
/** The answer to {@link Query.reloadSkills}. */
export type SDKControlReloadSkillsResponse = OutboundRequests["reload_skills"]["response"];

/** Callbacks for an event, and when they are called. */
export type HookCallbackMatcher = HookMatcher;
/** What a PreToolUse hook can say of the call. */
export type HookPermissionDecision = NonNullable<PreToolUseHookSpecificOutput["permissionDecision"]>;
/** What a CwdChanged hook can say beyond what every hook can. */
export type CwdChangedHookSpecificOutput = HookSpecificOutputs["CwdChanged"];
/** What a Elicitation hook can say beyond what every hook can. */
export type ElicitationHookSpecificOutput = HookSpecificOutputs["Elicitation"];
/** What a ElicitationResult hook can say beyond what every hook can. */
export type ElicitationResultHookSpecificOutput = HookSpecificOutputs["ElicitationResult"];
/** What a FileChanged hook can say beyond what every hook can. */
export type FileChangedHookSpecificOutput = HookSpecificOutputs["FileChanged"];
/** What a Notification hook can say beyond what every hook can. */
export type NotificationHookSpecificOutput = HookSpecificOutputs["Notification"];
/** What a PostModelSwitch hook can say beyond what every hook can. */
export type PostModelSwitchHookSpecificOutput = HookSpecificOutputs["PostModelSwitch"];
/** What a PostToolBatch hook can say beyond what every hook can. */
export type PostToolBatchHookSpecificOutput = HookSpecificOutputs["PostToolBatch"];
/** What a PostToolUseFailure hook can say beyond what every hook can. */
export type PostToolUseFailureHookSpecificOutput = HookSpecificOutputs["PostToolUseFailure"];
/** What a Setup hook can say beyond what every hook can. */
export type SetupHookSpecificOutput = HookSpecificOutputs["Setup"];
/** What a Stop hook can say beyond what every hook can. */
export type StopHookSpecificOutput = HookSpecificOutputs["Stop"];
/** What a SubagentStart hook can say beyond what every hook can. */
export type SubagentStartHookSpecificOutput = HookSpecificOutputs["SubagentStart"];
/** What a SubagentStop hook can say beyond what every hook can. */
export type SubagentStopHookSpecificOutput = HookSpecificOutputs["SubagentStop"];

/** A prompt, or a message in the role of the user. */
export interface SDKUserMessage
  extends Omit<UserMessage, "uuid" | "session_id" | "message" | "isReplay">,
    Pick<UserFrame, "priority" | "shouldQuery" | "client_composed" | "pasted_content" | "inline_pastes"> {
  readonly message: {
    readonly role: "user";
    readonly content: HostUserContent["content"] | UserMessage["message"]["content"];
  };
  readonly uuid?: string;
  readonly session_id?: string;
}

/** A permission rule in words. */
export type SDKPermissionRuleDescription = NonNullable<PermissionRuleEntry["description"]>;
/** A folder that the permission rules count as part of the workspace. */
export type SDKPermissionWorkspaceDirectory = PermissionRulesState["workspaceDirectories"][number];
/** What the session is busy with, other than a turn. */
export type SDKStatus = StatusMessage["status"];

/** A subagent. Mapped, as a type of its own would not fit where other fields are allowed. */
export type AgentDefinition = { readonly [Field in keyof AgentFields]: AgentFields[Field] };
/** A server of an agent: the name of one of the session, or a config by name. */
export type AgentMcpServerSpec = NonNullable<AgentDefinition["mcpServers"]>[number];
/** How a server was configured, as its status reports it. */
export type McpServerStatusConfig = NonNullable<McpServerStatus["config"]>;
/** An MCP server of `Options.mcpServers`, one of this process included. */
export type McpServerConfig = NonNullable<Options["mcpServers"]>[string];
/** An MCP server in this process, in the official shape. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig;
/** Settings of built-in tools. */
export type ToolConfig = NonNullable<Options["toolConfig"]>;

/** Why a session ended, as a SessionEnd hook is told. */
export type ExitReason = SessionEndHookInput["reason"];
/** The tokens of a result. */
export type NonNullableUsage = ResultSuccessMessage["usage"];
/** Violations of the sandbox that are not reported, by command. */
export type SandboxIgnoreViolations = NonNullable<SandboxSettings["ignoreViolations"]>;
/** The form of an answer that `Options.outputFormat` asks for. */
export type JsonSchemaOutputFormat = NonNullable<Options["outputFormat"]>;
/** What every form of an answer has. */
export type BaseOutputFormat = Pick<JsonSchemaOutputFormat, "type">;
/** The kinds of forms. */
export type OutputFormatType = JsonSchemaOutputFormat["type"];
/** A beta feature of the model API. */
export type SdkBeta = NonNullable<Options["betas"]>[number];
