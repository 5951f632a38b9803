// The public surface of @reins/messages/schemas, by name. Needs zod.

import "./zod-version.ts";

export {
  authStatusMessageSchema,
  rateLimitInfoSchema,
  rateLimitMessageSchema,
  rateLimitStatusSchema,
} from "./account-messages.ts";
export { agentDefinitionSchema } from "./agent-definition.ts";
export { apiMessageSchema, stopReasonSchema, userContentSchema } from "./api-message.ts";
export {
  assistantErrorSchema,
  assistantMessageSchema,
  contextUsageCategorySchema,
  contextUsageSchema,
  extraUsageSchema,
  sessionTotalsSchema,
  toolUseMetaSchema,
  usageLimitSchema,
  usageReportSchema,
} from "./assistant.ts";
export {
  assistantBlockSchema,
  base64SourceSchema,
  compactionBlockSchema,
  containerUploadBlockSchema,
  contentBlockSchema,
  contentSourceSchema,
  documentBlockSchema,
  fileSourceSchema,
  imageBlockSchema,
  mcpToolUseBlockSchema,
  redactedThinkingBlockSchema,
  searchResultBlockSchema,
  serverToolResultBlockSchema,
  serverToolUseBlockSchema,
  textBlockSchema,
  textSourceSchema,
  thinkingBlockSchema,
  toolReferenceBlockSchema,
  toolResultBlockSchema,
  toolResultContentSchema,
  toolUseBlockSchema,
  unparsedToolInputSchema,
  urlSourceSchema,
  userBlockSchema,
} from "./content-blocks.ts";
export { acknowledgedSchema } from "./control/acknowledged.ts";
export {
  contextAgentSchema,
  contextGridSquareSchema,
  contextMcpToolSchema,
  contextMessageBreakdownSchema,
  contextSkillSchema,
  contextUsageResponseCategorySchema,
  contextUsageResponseSchema,
} from "./control/context-usage-response.ts";
export {
  anyRequestSchema,
  controlCancelRequestSchema,
  controlEnvelopeSchema,
  controlFailureSchema,
  controlRequestSchema,
  controlResponseSchema,
  controlSuccessSchema,
  inboundControlRequestSchema,
  outboundControlRequestSchema,
} from "./control/envelope.ts";
export {
  canUseToolRequestSchema,
  elicitationRequestSchema,
  elicitationResponseSchema,
  hookCallbackRequestSchema,
  hostAuthTokenRefreshRequestSchema,
  inboundRequestSchema,
  inboundRequestSchemas,
  mcpMessageRequestSchema,
  mcpMessageResponseSchema,
  oauthTokenRefreshRequestSchema,
  userDialogRequestSchema,
  userDialogResponseSchema,
} from "./control/inbound.ts";
export {
  hookCallbackMatcherSchema,
  initializeRequestSchema,
  initializeResponseSchema,
  mcpServerManifestSchema,
} from "./control/initialize.ts";
export {
  hooksListingEntrySchema,
  hooksListingSchema,
  permissionRuleEntrySchema,
  permissionRulesStateSchema,
  settingsParseErrorSchema,
  settingsResponseSchema,
} from "./control/listings.ts";
export {
  mcpCallRequestSchema,
  mcpCallResponseSchema,
  mcpRequestSchemas,
  mcpResourceContentsSchema,
} from "./control/mcp-requests.ts";
export { opaqueInboundRequestSchemas, opaqueRequestSchemas } from "./control/opaque-requests.ts";
export {
  queryRequestSchemas,
  readFileRequestSchema,
  readFileResponseSchema,
  reloadPluginsRequestSchema,
  reloadPluginsResponseSchema,
} from "./control/query-requests.ts";
export { outboundRequestSchema, outboundRequestSchemas } from "./control/requests.ts";
export { accountInfoSchema, agentInfoSchema, modelInfoSchema, slashCommandSchema } from "./control/session-info.ts";
export {
  registerRepoRootRequestSchema,
  setCwdRequestSchema,
  setCwdResponseSchema,
  setMaxThinkingTokensRequestSchema,
  settingsRequestSchemas,
} from "./control/settings-requests.ts";
export {
  interruptRequestSchema,
  interruptResponseSchema,
  rewindFilesRequestSchema,
  rewindFilesResponseSchema,
  turnRequestSchemas,
} from "./control/turn-requests.ts";
export {
  rateLimitWindowSchema,
  usageBehaviorsSchema,
  usageResponseSchema,
  usageShareSchema,
} from "./control/usage-response.ts";
export {
  apiMetricsMessageSchema,
  applyFlagSettingsMessageSchema,
  attachmentMessageSchema,
  compactProgressMessageSchema,
  engineMessageSchema,
  engineMessageSchemas,
  hintClearsMessageSchema,
  openMessageSelectorMessageSchema,
  osNotificationMessageSchema,
  refusalContinuationMessageSchema,
  responseLengthMessageSchema,
  setExpandedViewMessageSchema,
  setInProgressToolUseIdsMessageSchema,
  streamModeMessageSchema,
  tombstoneMessageSchema,
} from "./engine-messages.ts";
export { fastModeDisabledReasonSchema, fastModeStateSchema } from "./fast-mode.ts";
export { hookEventSchema } from "./hooks/hook-event.ts";
export { hookInputSchema, hookInputSchemas } from "./hooks/hook-input.ts";
export {
  asyncHookOutputSchema,
  hookOutputSchema,
  hookOutputSchemas,
  syncHookOutputSchema,
} from "./hooks/hook-output.ts";
export {
  hookSpecificOutputSchema,
  hookSpecificOutputSchemas,
  messageDisplayHookSpecificOutputSchema,
  permissionDeniedHookSpecificOutputSchema,
  permissionRequestHookSpecificOutputSchema,
  postToolUseHookSpecificOutputSchema,
  preModelSwitchHookSpecificOutputSchema,
  preToolUseHookSpecificOutputSchema,
  sessionStartHookSpecificOutputSchema,
  userPromptExpansionHookSpecificOutputSchema,
  userPromptSubmitHookSpecificOutputSchema,
  worktreeCreateHookSpecificOutputSchema,
} from "./hooks/hook-specific-output.ts";
export {
  elicitationHookInputSchema,
  elicitationResultHookInputSchema,
  messageDisplayHookInputSchema,
  notificationHookInputSchema,
  userPromptExpansionHookInputSchema,
  userPromptSubmitHookInputSchema,
} from "./hooks/prompt-hook-inputs.ts";
export {
  backgroundTaskSummarySchema,
  sessionCronSummarySchema,
  stopFailureHookInputSchema,
  stopHookInputSchema,
  subagentStartHookInputSchema,
  subagentStopHookInputSchema,
  taskCompletedHookInputSchema,
  taskCreatedHookInputSchema,
  teammateIdleHookInputSchema,
} from "./hooks/run-hook-inputs.ts";
export {
  postCompactHookInputSchema,
  postModelSwitchHookInputSchema,
  preCompactHookInputSchema,
  preModelSwitchHookInputSchema,
  sessionEndHookInputSchema,
  sessionStartHookInputSchema,
  setupHookInputSchema,
} from "./hooks/session-hook-inputs.ts";
export {
  permissionDeniedHookInputSchema,
  permissionRequestHookInputSchema,
  postToolBatchHookInputSchema,
  postToolBatchToolCallSchema,
  postToolUseFailureHookInputSchema,
  postToolUseHookInputSchema,
  preToolUseHookInputSchema,
} from "./hooks/tool-hook-inputs.ts";
export {
  configChangeHookInputSchema,
  cwdChangedHookInputSchema,
  directoryAddedHookInputSchema,
  fileChangedHookInputSchema,
  instructionsLoadedHookInputSchema,
  worktreeCreateHookInputSchema,
  worktreeRemoveHookInputSchema,
} from "./hooks/workspace-hook-inputs.ts";
export {
  bashCommandFrameSchema,
  hostBlockSchema,
  hostUserContentSchema,
  keepAliveFrameSchema,
  transcriptMirrorFrameSchema,
  updateEnvironmentVariablesFrameSchema,
  userFrameSchema,
} from "./host-frames.ts";
export {
  jsonRpcErrorSchema,
  jsonRpcIdSchema,
  jsonRpcMessageSchema,
  jsonRpcNotificationSchema,
  jsonRpcRequestSchema,
  jsonRpcResponseSchema,
  mcpClaudeAiProxyServerConfigSchema,
  mcpHttpServerConfigSchema,
  mcpResourceLinkSchema,
  mcpSdkServerConfigSchema,
  mcpSdkServerSettingsSchema,
  mcpServerConfigSchema,
  mcpServerStatusSchema,
  mcpSetServersResultSchema,
  mcpSseServerConfigSchema,
  mcpStdioServerConfigSchema,
  mcpToolPolicySchema,
  mcpToolStatusSchema,
} from "./mcp.ts";
export {
  knownMessageSchema,
  messageSchema,
  messageSchemas,
  unknownMessageSchema,
  unknownSystemMessageSchema,
  unknownTypeMessageSchema,
} from "./message.ts";
export {
  channelOriginSchema,
  humanOriginSchema,
  messageOriginSchema,
  observerOriginSchema,
  peerOriginSchema,
  plainOriginSchema,
  taskNotificationOriginSchema,
} from "./origin.ts";
export {
  decisionReasonTypeSchema,
  mcpServerProvenanceSchema,
  permissionAllowSchema,
  permissionBehaviorSchema,
  permissionDecisionClassificationSchema,
  permissionDenySchema,
  permissionModeSchema,
  permissionResultSchema,
  permissionRuleSchema,
  permissionUpdateDestinationSchema,
  permissionUpdateSchema,
} from "./permissions.ts";
export {
  deferredToolUseSchema,
  invalidConfigFileSchema,
  permissionDenialSchema,
  queuedBehindSchema,
  resultErrorMessageSchema,
  resultMessageSchema,
  resultSuccessMessageSchema,
  startupFailureReasonSchema,
  subagentStatsSchema,
  terminalReasonSchema,
} from "./result.ts";
export {
  activeGoalMessageSchema,
  autocompactStateMessageSchema,
  commandLifecycleMessageSchema,
  conversationResetMessageSchema,
  promptSuggestionMessageSchema,
  subagentRetrySchema,
  toolProgressMessageSchema,
  toolUseSummaryMessageSchema,
} from "./run-messages.ts";
export {
  sandboxCredentialFileSchema,
  sandboxCredentialSettingsSchema,
  sandboxCredentialVariableSchema,
  sandboxFilesystemSettingsSchema,
  sandboxNetworkSettingsSchema,
  sandboxSettingsSchema,
} from "./sandbox-settings.ts";
export { controlFrameSchema, controlFrameSchemas, schemaFor } from "./schema-for.ts";
export {
  pluginConfigSchema,
  sessionInfoSchema,
  sessionKeySchema,
  sessionMessageSchema,
  settingSourceSchema,
  transcriptEntrySchema,
} from "./session.ts";
export {
  citationsDeltaSchema,
  contentBlockDeltaEventSchema,
  contentBlockStartEventSchema,
  contentBlockStopEventSchema,
  contentDeltaSchema,
  inputJsonDeltaSchema,
  messageDeltaEventSchema,
  messageDeltaUsageSchema,
  messageStartEventSchema,
  messageStopEventSchema,
  signatureDeltaSchema,
  streamEventMessageSchema,
  streamEventSchema,
  textDeltaSchema,
  thinkingDeltaSchema,
} from "./stream-event.ts";
export { apiRetryMessageSchema } from "./system/api-retry.ts";
export { compactBoundaryMessageSchema, compactMetadataSchema } from "./system/compaction.ts";
export {
  agentsKilledMessageSchema,
  apiErrorMessageSchema,
  awaySummaryMessageSchema,
  engineSystemMessageSchema,
  engineSystemMessageSchemas,
  fileSnapshotMessageSchema,
  memorySavedMessageSchema,
  permissionRetryMessageSchema,
  scheduledTaskFireMessageSchema,
  stopHookSummaryMessageSchema,
  thinkingMessageSchema,
  turnDurationMessageSchema,
} from "./system/engine-messages.ts";
export {
  hookProgressMessageSchema,
  hookResponseMessageSchema,
  hookStartedMessageSchema,
} from "./system/hook-messages.ts";
export {
  cloudSessionDeltaMessageSchema,
  codeChangePublishedMessageSchema,
  devIntentMessageSchema,
  feedbackDraftQueuedMessageSchema,
  fileAttachmentsMissingMessageSchema,
  hostedSystemMessageSchema,
  hostedSystemMessageSchemas,
  inheritedAsksSettledMessageSchema,
  instructionSizeWarningMessageSchema,
  lateAllowNotRunMessageSchema,
  modelConsentFallbackMessageSchema,
  peerMessageHoldMessageSchema,
  permissionCheckStatusMessageSchema,
  perTurnEffortChangedMessageSchema,
  postTurnSummaryMessageSchema,
  sessionMetadataMessageSchema,
  shellCwdMessageSchema,
  taskListStatusesMessageSchema,
  taskSummaryMessageSchema,
  toolHostResultMessageSchema,
  turnHandoffAvailableMessageSchema,
  turnPreemptedMessageSchema,
  vcsStateChangedMessageSchema,
} from "./system/hosted-messages.ts";
export {
  apiKeySourceSchema,
  effortLevelSchema,
  initMcpServerSchema,
  initPluginErrorSchema,
  initPluginSchema,
  mcpConnectionStatusSchema,
  systemInitMessageSchema,
} from "./system/init.ts";
export {
  modelFallbackMessageSchema,
  modelRefusalFallbackMessageSchema,
  modelRefusalNoFallbackMessageSchema,
  thinkingTokensMessageSchema,
} from "./system/model-changes.ts";
export {
  elicitationCompleteMessageSchema,
  informationalMessageSchema,
  localCommandOutputMessageSchema,
  memoryRecallMessageSchema,
  notificationMessageSchema,
  permissionDeniedMessageSchema,
  promptSubmitOutcomeSchema,
} from "./system/notices.ts";
export {
  commandsChangedMessageSchema,
  filesPersistedMessageSchema,
  mirrorErrorMessageSchema,
  pluginInstallMessageSchema,
  sessionTitleChangedMessageSchema,
  sessionWritesLostMessageSchema,
  workerShuttingDownMessageSchema,
} from "./system/session-messages.ts";
export {
  controlRequestProgressMessageSchema,
  sessionStateChangedMessageSchema,
  statusMessageSchema,
} from "./system/status.ts";
export { systemMessageSchema, systemMessageSchemas } from "./system/system-message.ts";
export {
  backgroundTaskSchema,
  backgroundTasksChangedMessageSchema,
  taskNotificationMessageSchema,
  taskPatchSchema,
  taskProgressMessageSchema,
  taskStartedMessageSchema,
  taskStatusSchema,
  taskTypeSchema,
  taskUpdatedMessageSchema,
  taskUsageSchema,
} from "./system/tasks.ts";
export {
  uiFocusMessageSchema,
  uiInvalidateMessageSchema,
  uiLogMessageSchema,
  uiNotifyCancelMessageSchema,
  uiNotifyMessageSchema,
  uiPanesMessageSchema,
  uiPlacedMessageSchema,
  uiScrollMessageSchema,
  uiStatusMessageSchema,
  uiSystemMessageSchema,
  uiSystemMessageSchemas,
  uiToastMessageSchema,
} from "./system/ui-messages.ts";
export type { RequestSchemas, SchemaMap, SchemasByKind } from "./tables.ts";
export {
  thinkingAdaptiveSchema,
  thinkingConfigSchema,
  thinkingDisabledSchema,
  thinkingEnabledSchema,
} from "./thinking.ts";
export {
  agentAsyncLaunchedOutputSchema,
  agentCompletedOutputSchema,
  agentInputSchema,
  agentOutputSchema,
  agentRemoteLaunchedOutputSchema,
  agentToolStatsSchema,
  listAgentsInputSchema,
  sendMessageInputSchema,
  workflowInputSchema,
  workflowOutputSchema,
} from "./tools/agent.ts";
export {
  editInputSchema,
  editOutputSchema,
  gitDiffSchema,
  notebookEditInputSchema,
  notebookEditOutputSchema,
  patchHunkSchema,
  readImageOutputSchema,
  readInputSchema,
  readNotebookOutputSchema,
  readOutputSchema,
  readPartsOutputSchema,
  readPdfOutputSchema,
  readTextOutputSchema,
  writeInputSchema,
  writeOutputSchema,
} from "./tools/files.ts";
export {
  artifactInputSchema,
  claudeDesignInputSchema,
  claudeDesignOutputSchema,
  offerChromeSetupInputSchema,
  offerChromeSetupOutputSchema,
  projectsInputSchema,
  proposeSkillsInputSchema,
  proposeSkillsOutputSchema,
  pushNotificationInputSchema,
  pushNotificationOutputSchema,
  readNotificationsOutputSchema,
  remoteTriggerInputSchema,
  remoteTriggerOutputSchema,
  sendFeedbackInputSchema,
  sendFeedbackOutputSchema,
  setGoalInputSchema,
  setGoalOutputSchema,
  showOnboardingRolePickerOutputSchema,
} from "./tools/first-party.ts";
export {
  listMcpResourcesInputSchema,
  listMcpResourcesOutputSchema,
  mcpContentSchema,
  mcpStructuredOutputSchema,
  mcpToolOutputSchema,
  readMcpResourceDirInputSchema,
  readMcpResourceDirOutputSchema,
  readMcpResourceInputSchema,
  readMcpResourceOutputSchema,
  refreshMcpToolsInputSchema,
  refreshMcpToolsOutputSchema,
} from "./tools/mcp-tools.ts";
export {
  cronCreateInputSchema,
  cronCreateOutputSchema,
  cronDeleteInputSchema,
  cronDeleteOutputSchema,
  cronListOutputSchema,
  scheduleWakeupInputSchema,
  scheduleWakeupOutputSchema,
} from "./tools/schedule.ts";
export {
  globInputSchema,
  globOutputSchema,
  grepInputSchema,
  grepModeSchema,
  grepOutputSchema,
  toolSearchInputSchema,
  toolSearchOutputSchema,
} from "./tools/search.ts";
export {
  bashInputSchema,
  bashOutputSchema,
  gitOperationSchema,
  monitorInputSchema,
  monitorOutputSchema,
  taskStopInputSchema,
  taskStopOutputSchema,
} from "./tools/shell.ts";
export {
  taskCreateInputSchema,
  taskCreateOutputSchema,
  taskGetInputSchema,
  taskGetOutputSchema,
  taskListOutputSchema,
  taskListStatusSchema,
  taskUpdateInputSchema,
  taskUpdateOutputSchema,
  todoItemSchema,
  todoWriteInputSchema,
  todoWriteOutputSchema,
} from "./tools/task-list.ts";
export { toolInputSchemas, toolOutputSchemas, untypedFieldsSchema } from "./tools/tool-map.ts";
export {
  askUserQuestionInputSchema,
  askUserQuestionOutputSchema,
  enterPlanModeOutputSchema,
  exitPlanModeInputSchema,
  exitPlanModeOutputSchema,
  questionAnnotationSchema,
  questionOptionSchema,
  userQuestionSchema,
} from "./tools/user-questions.ts";
export {
  webFetchInputSchema,
  webFetchOutputSchema,
  webSearchHitsSchema,
  webSearchInputSchema,
  webSearchOutputSchema,
} from "./tools/web.ts";
export {
  enterWorktreeInputSchema,
  enterWorktreeOutputSchema,
  exitWorktreeInputSchema,
  exitWorktreeOutputSchema,
  reportFindingsInputSchema,
  reportFindingsOutputSchema,
  reviewFindingSchema,
  skillInputSchema,
} from "./tools/workspace-tools.ts";
export {
  apiUsageSchema,
  cacheCreationUsageSchema,
  modelUsageSchema,
  serverToolUsageSchema,
  turnUsageSchema,
} from "./usage.ts";
export { toolResultMetaSchema, userMessageSchema, userReplayMessageSchema } from "./user.ts";
