// The public surface of @reins/messages, by name.

export type { AuthStatusMessage, RateLimitInfo, RateLimitMessage, RateLimitStatus } from "./account-messages.ts";
export type { AgentDefinition } from "./agent-definition.ts";
export type { ApiMessage, StopReason, UserContent } from "./api-message.ts";
export type {
  AssistantError,
  AssistantMessage,
  ContextUsage,
  ContextUsageCategory,
  ExtraUsage,
  SessionTotals,
  ToolUseMeta,
  UsageLimit,
  UsageReport,
} from "./assistant.ts";
export type {
  AssistantBlock,
  Base64Source,
  CompactionBlock,
  ContainerUploadBlock,
  ContentBlock,
  ContentSource,
  DocumentBlock,
  FileSource,
  ImageBlock,
  McpToolUseBlock,
  RedactedThinkingBlock,
  SearchResultBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  TextSource,
  ThinkingBlock,
  ToolReferenceBlock,
  ToolResultBlock,
  ToolResultContent,
  ToolUseBlock,
  UnknownBlock,
  UnparsedToolInput,
  UrlSource,
  UserBlock,
} from "./content-blocks.ts";
export type { Acknowledged } from "./control/acknowledged.ts";
export type {
  ContextAgent,
  ContextGridSquare,
  ContextMcpTool,
  ContextMessageBreakdown,
  ContextSkill,
  ContextUsageResponse,
  ContextUsageResponseCategory,
} from "./control/context-usage-response.ts";
export type {
  AnyRequest,
  ControlCancelRequest,
  ControlEnvelope,
  ControlFailure,
  ControlRequest,
  ControlResponse,
  ControlSuccess,
  InboundControlRequest,
  OutboundControlRequest,
  PendingRequests,
} from "./control/envelope.ts";
export type {
  CanUseToolRequest,
  ElicitationRequest,
  ElicitationResponse,
  HookCallbackRequest,
  HostAuthTokenRefreshRequest,
  InboundRequest,
  InboundRequests,
  McpMessageRequest,
  McpMessageResponse,
  OauthTokenRefreshRequest,
  UserDialogRequest,
  UserDialogResponse,
} from "./control/inbound.ts";
export type {
  HookCallbackMatcher,
  InitializeRequest,
  InitializeResponse,
  McpServerManifest,
} from "./control/initialize.ts";
export type {
  HooksListing,
  HooksListingEntry,
  PermissionRuleEntry,
  PermissionRulesState,
  SettingsParseError,
  SettingsResponse,
} from "./control/listings.ts";
export type { McpCallRequest, McpCallResponse, McpRequests, McpResourceContents } from "./control/mcp-requests.ts";
export type {
  OpaqueInboundRequests,
  OpaqueInboundSubtype,
  OpaqueRequests,
  OpaqueSubtype,
} from "./control/opaque-requests.ts";
export type {
  QueryRequests,
  ReadFileRequest,
  ReadFileResponse,
  ReloadPluginsRequest,
  ReloadPluginsResponse,
} from "./control/query-requests.ts";
export type {
  OutboundFields,
  OutboundRequest,
  OutboundRequests,
  OutboundResponse,
  OutboundSubtype,
} from "./control/requests.ts";
export type { AccountInfo, AgentInfo, ModelInfo, SlashCommand } from "./control/session-info.ts";
export type {
  RegisterRepoRootRequest,
  SetCwdRequest,
  SetCwdResponse,
  SetMaxThinkingTokensRequest,
  SettingsRequests,
} from "./control/settings-requests.ts";
export type {
  InterruptRequest,
  InterruptResponse,
  RewindFilesRequest,
  RewindFilesResponse,
  TurnRequests,
} from "./control/turn-requests.ts";
export type { RateLimitWindow, UsageBehaviors, UsageResponse, UsageShare } from "./control/usage-response.ts";
export { deltaOf } from "./delta-of.ts";
export type {
  ApiMetricsMessage,
  ApplyFlagSettingsMessage,
  AttachmentMessage,
  CompactProgressMessage,
  EngineMessage,
  HintClearsMessage,
  OpenMessageSelectorMessage,
  OsNotificationMessage,
  RefusalContinuationMessage,
  ResponseLengthMessage,
  SetExpandedViewMessage,
  SetInProgressToolUseIdsMessage,
  StreamModeMessage,
  TombstoneMessage,
} from "./engine-messages.ts";
export type { MessageBase, PromptStamps, SubagentStamps } from "./envelope.ts";
export { MessageParseError } from "./errors.ts";
export type { FastModeDisabledReason, FastModeState } from "./fast-mode.ts";
export {
  isAssistantMessage,
  isInboundRequest,
  isInputJsonDelta,
  isKnownMessage,
  isResultMessage,
  isStreamEventMessage,
  isSystemMessage,
  isTerminalTaskStatus,
  isTextDelta,
  isThinkingDelta,
  isToolUseBlock,
  isUserMessage,
  isUserReplayMessage,
  type Typed,
} from "./guards.ts";
// Hooks
export { type HookEvent, hookEvents } from "./hooks/hook-event.ts";
export type { HookInput, HookInputs } from "./hooks/hook-input.ts";
export type { HookInputBase, ToolHookInputBase } from "./hooks/hook-input-base.ts";
export type { AsyncHookOutput, HookOutput, SyncHookOutput } from "./hooks/hook-output.ts";
export type {
  ContextOutput,
  ElicitationHookSpecificOutput,
  HookSpecificOutput,
  HookSpecificOutputs,
  MessageDisplayHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  PostToolUseHookSpecificOutput,
  PreModelSwitchHookSpecificOutput,
  PreToolUseHookSpecificOutput,
  SessionStartHookSpecificOutput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  WatchPathsOutput,
  WorktreeCreateHookSpecificOutput,
} from "./hooks/hook-specific-output.ts";
export type {
  ElicitationHookInput,
  ElicitationResultHookInput,
  MessageDisplayHookInput,
  NotificationHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from "./hooks/prompt-hook-inputs.ts";
export type {
  BackgroundTaskSummary,
  SessionCronSummary,
  StopFailureHookInput,
  StopHookInput,
  StopHookInputBase,
  SubagentStartHookInput,
  SubagentStopHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TaskHookInputBase,
  TeammateIdleHookInput,
} from "./hooks/run-hook-inputs.ts";
export type {
  ModelSwitchHookInputBase,
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  SetupHookInput,
} from "./hooks/session-hook-inputs.ts";
export type {
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
} from "./hooks/tool-hook-inputs.ts";
export type {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from "./hooks/workspace-hook-inputs.ts";
// Frames of a host, and of its machinery
export type {
  BashCommandFrame,
  HostBlock,
  HostUserContent,
  KeepAliveFrame,
  TranscriptMirrorFrame,
  UpdateEnvironmentVariablesFrame,
  UserFrame,
} from "./host-frames.ts";
export type {
  JsonRpcError,
  JsonRpcId,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  McpClaudeAiProxyServerConfig,
  McpHttpServerConfig,
  McpRemoteServerConfig,
  McpResourceLink,
  McpSdkServerConfig,
  McpSdkServerSettings,
  McpServerConfig,
  McpServerStatus,
  McpSetServersResult,
  McpSseServerConfig,
  McpStdioServerConfig,
  McpToolPolicy,
  McpToolStatus,
} from "./mcp.ts";
// Messages
export type { KnownMessage, Message, UnknownMessage, UnknownSystemMessage, UnknownTypeMessage } from "./message.ts";
export { contentText, messageText, toolResults, toolResultsById, toolUses } from "./message-content.ts";
export type { OpenString, UnknownValue } from "./open.ts";
export type {
  ChannelOrigin,
  HumanOrigin,
  MessageOrigin,
  ObserverOrigin,
  PeerOrigin,
  PlainOrigin,
  TaskNotificationOrigin,
  UnknownOrigin,
} from "./origin.ts";
// Reading
export { type ControlFrame, type ParsedFrame, parseMessage } from "./parse-message.ts";
// Shared vocabulary
export type {
  DecisionReasonType,
  McpServerProvenance,
  PermissionAllow,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionDeny,
  PermissionMode,
  PermissionResult,
  PermissionRule,
  PermissionUpdate,
  PermissionUpdateDestination,
} from "./permissions.ts";
export { fieldsOf } from "./record.ts";
export type {
  DeferredToolUse,
  InvalidConfigFile,
  PermissionDenial,
  QueuedBehind,
  ResultBase,
  ResultErrorMessage,
  ResultMessage,
  ResultSuccessMessage,
  ResultTimings,
  StartupFailureReason,
  SubagentStats,
  TerminalReason,
} from "./result.ts";
export { isStartupFailure, type ResultOutcome, resultOutcome } from "./result-outcome.ts";
export type {
  ActiveGoalMessage,
  AutocompactStateMessage,
  CommandLifecycleMessage,
  ConversationResetMessage,
  PromptSuggestionMessage,
  SubagentRetry,
  ToolProgressMessage,
  ToolUseSummaryMessage,
} from "./run-messages.ts";
export type {
  SandboxCredentialFile,
  SandboxCredentialRule,
  SandboxCredentialSettings,
  SandboxCredentialVariable,
  SandboxFilesystemSettings,
  SandboxNetworkSettings,
  SandboxSettings,
} from "./sandbox-settings.ts";
export type {
  PluginConfig,
  SessionInfo,
  SessionKey,
  SessionMessage,
  SettingSource,
  TranscriptEntry,
} from "./session.ts";
export type {
  CitationsDelta,
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  ContentDelta,
  InputJsonDelta,
  MessageDeltaEvent,
  MessageDeltaUsage,
  MessageStartEvent,
  MessageStopEvent,
  SignatureDelta,
  StreamEvent,
  StreamEventMessage,
  TextDelta,
  ThinkingDelta,
  UnknownDelta,
  UnknownStreamEvent,
} from "./stream-event.ts";
export type { ApiRetryMessage } from "./system/api-retry.ts";
export type { CompactBoundaryMessage, CompactMetadata } from "./system/compaction.ts";
export type {
  AgentsKilledMessage,
  ApiErrorMessage,
  AwaySummaryMessage,
  EngineSystemMessage,
  FileSnapshotMessage,
  MemorySavedMessage,
  PermissionRetryMessage,
  ScheduledTaskFireMessage,
  StopHookSummaryMessage,
  ThinkingMessage,
  TurnDurationMessage,
} from "./system/engine-messages.ts";
export type { HookProgressMessage, HookResponseMessage, HookRun, HookStartedMessage } from "./system/hook-messages.ts";
export type {
  CloudSessionDeltaMessage,
  CodeChangePublishedMessage,
  DevIntentMessage,
  FeedbackDraftQueuedMessage,
  FileAttachmentsMissingMessage,
  HostedSystemMessage,
  InheritedAsksSettledMessage,
  InstructionSizeWarningMessage,
  LateAllowNotRunMessage,
  ModelConsentFallbackMessage,
  PeerMessageHoldMessage,
  PermissionCheckStatusMessage,
  PerTurnEffortChangedMessage,
  PostTurnSummaryMessage,
  SessionMetadataMessage,
  ShellCwdMessage,
  TaskListStatusesMessage,
  TaskSummaryMessage,
  ToolHostResultMessage,
  TurnHandoffAvailableMessage,
  TurnPreemptedMessage,
  VcsStateChangedMessage,
} from "./system/hosted-messages.ts";
export type {
  ApiKeySource,
  EffortLevel,
  InitMcpServer,
  InitPlugin,
  InitPluginError,
  McpConnectionStatus,
  SystemInitMessage,
} from "./system/init.ts";
export type {
  ModelFallbackMessage,
  ModelRefusalFallbackMessage,
  ModelRefusalNoFallbackMessage,
  ThinkingTokensMessage,
} from "./system/model-changes.ts";
export type {
  ElicitationCompleteMessage,
  InformationalMessage,
  LocalCommandOutputMessage,
  MemoryRecallMessage,
  NotificationMessage,
  PermissionDeniedMessage,
  PromptSubmitOutcome,
} from "./system/notices.ts";
export type {
  CommandsChangedMessage,
  FilesPersistedMessage,
  MirrorErrorMessage,
  PluginInstallMessage,
  SessionTitleChangedMessage,
  SessionWritesLostMessage,
  WorkerShuttingDownMessage,
} from "./system/session-messages.ts";
export type { ControlRequestProgressMessage, SessionStateChangedMessage, StatusMessage } from "./system/status.ts";
export type { SystemBase } from "./system/system-base.ts";
// System messages
export type { SystemMessage } from "./system/system-message.ts";
export type {
  BackgroundTask,
  BackgroundTasksChangedMessage,
  TaskNotificationMessage,
  TaskPatch,
  TaskProgressMessage,
  TaskStartedMessage,
  TaskStatus,
  TaskType,
  TaskUpdatedMessage,
  TaskUsage,
} from "./system/tasks.ts";
export type {
  UiFocusMessage,
  UiInvalidateMessage,
  UiLogMessage,
  UiNotifyCancelMessage,
  UiNotifyMessage,
  UiPanesMessage,
  UiPlacedMessage,
  UiScrollMessage,
  UiStatusMessage,
  UiSystemMessage,
  UiToastMessage,
} from "./system/ui-messages.ts";
export type { ThinkingAdaptive, ThinkingConfig, ThinkingDisabled, ThinkingEnabled } from "./thinking.ts";
export type {
  AgentAsyncLaunchedOutput,
  AgentCompletedOutput,
  AgentInput,
  AgentOutput,
  AgentRemoteLaunchedOutput,
  AgentToolStats,
  ListAgentsInput,
  SendMessageInput,
  WorkflowInput,
  WorkflowOutput,
} from "./tools/agent.ts";
export type {
  EditInput,
  EditOutput,
  GitDiff,
  NotebookEditInput,
  NotebookEditOutput,
  PatchHunk,
  ReadImageOutput,
  ReadInput,
  ReadNotebookOutput,
  ReadOutput,
  ReadPartsOutput,
  ReadPdfOutput,
  ReadTextOutput,
  WriteInput,
  WriteOutput,
} from "./tools/files.ts";
export type {
  ArtifactInput,
  ClaudeDesignInput,
  ClaudeDesignOutput,
  OfferChromeSetupInput,
  OfferChromeSetupOutput,
  ProjectsInput,
  ProposeSkillsInput,
  ProposeSkillsOutput,
  PushNotificationInput,
  PushNotificationOutput,
  ReadNotificationsOutput,
  RemoteTriggerInput,
  RemoteTriggerOutput,
  SendFeedbackInput,
  SendFeedbackOutput,
  SetGoalInput,
  SetGoalOutput,
  ShowOnboardingRolePickerOutput,
} from "./tools/first-party.ts";
export type {
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  McpContent,
  McpStructuredOutput,
  McpToolOutput,
  ReadMcpResourceDirInput,
  ReadMcpResourceDirOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
  RefreshMcpToolsInput,
  RefreshMcpToolsOutput,
} from "./tools/mcp-tools.ts";
export type {
  CronCreateInput,
  CronCreateOutput,
  CronDeleteInput,
  CronDeleteOutput,
  CronListOutput,
  ScheduleWakeupInput,
  ScheduleWakeupOutput,
} from "./tools/schedule.ts";
export type {
  GlobInput,
  GlobOutput,
  GrepInput,
  GrepMode,
  GrepOutput,
  ToolSearchInput,
  ToolSearchOutput,
} from "./tools/search.ts";
export type {
  BashInput,
  BashOutput,
  GitOperation,
  MonitorInput,
  MonitorOutput,
  TaskStopInput,
  TaskStopOutput,
} from "./tools/shell.ts";
export type {
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListOutput,
  TaskListStatus,
  TaskUpdateInput,
  TaskUpdateOutput,
  TodoItem,
  TodoWriteInput,
  TodoWriteOutput,
} from "./tools/task-list.ts";
export { toolInput, toolOutput } from "./tools/tool-input.ts";
// Tools of the CLI
export type { ToolInputs, ToolName, ToolOutputs, UntypedFields } from "./tools/tool-map.ts";
export type {
  AskUserQuestionInput,
  AskUserQuestionOutput,
  EnterPlanModeOutput,
  ExitPlanModeInput,
  ExitPlanModeOutput,
  QuestionAnnotation,
  QuestionOption,
  UserQuestion,
} from "./tools/user-questions.ts";
export type { WebFetchInput, WebFetchOutput, WebSearchHits, WebSearchInput, WebSearchOutput } from "./tools/web.ts";
export type {
  EnterWorktreeInput,
  EnterWorktreeOutput,
  ExitWorktreeInput,
  ExitWorktreeOutput,
  ReportFindingsInput,
  ReportFindingsOutput,
  ReviewFinding,
  SkillInput,
} from "./tools/workspace-tools.ts";
export type { ApiUsage, CacheCreationUsage, ModelUsage, ServerToolUsage, TurnUsage } from "./usage.ts";
export { type TokenCounts, UsageMeter, type UsageTotals } from "./usage-meter.ts";
export type { ToolResultMeta, UserMessage, UserMessageInternals, UserReplayMessage } from "./user.ts";
