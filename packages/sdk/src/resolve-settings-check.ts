/** Types of members: what else a member holds makes the CLI 2.1.328 pass over the file. */
type MemberType = "string" | "boolean" | "number" | "object" | "strings";

/** Whether it is an object and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The settings with the repairs that the CLI makes; `undefined` when a member has a type that makes it pass over the file. */
export function checkedSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const isWrong = Object.entries(settings).some(([key, value]) => {
    const type = Object.hasOwn(memberTypes, key) ? memberTypes[key] : undefined;
    return type !== undefined && !hasType(value, type);
  });
  const { env, permissions } = settings;
  if (isWrong || (isRecord(permissions) && !arePermissions(permissions))) return undefined;
  return {
    ...settings,
    ...(isRecord(env) && { env: mapValues(env, String) }),
    ...(isRecord(permissions) && { permissions: repairedPermissions(permissions) }),
  };
}

function hasType(value: unknown, type: MemberType): boolean {
  if (type === "strings") return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (type === "object") return isRecord(value);
  return typeof value === type;
}

const modes: readonly unknown[] = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "manual", "plan"];
const ruleLists = ["allow", "ask", "deny"] as const;

function arePermissions(permissions: Readonly<Record<string, unknown>>): boolean {
  const { defaultMode, additionalDirectories } = permissions;
  if (defaultMode !== undefined && !modes.includes(defaultMode)) return false;
  if (additionalDirectories !== undefined && !hasType(additionalDirectories, "strings")) return false;
  return ruleLists.every((list) => permissions[list] === undefined || Array.isArray(permissions[list]));
}

/** Rules that are no text are left out; `manual` is another name of the mode `default`. */
function repairedPermissions(permissions: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isText = (rule: unknown): boolean => typeof rule === "string" && rule !== "";
  return Object.fromEntries(
    Object.entries(permissions).map(([key, value]) => {
      if (key === "defaultMode" && value === "manual") return [key, "default"];
      return [key, ruleLists.some((list) => list === key) && Array.isArray(value) ? value.filter(isText) : value];
    }),
  );
}

function mapValues(record: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Found by giving each member of the official type values of all types; a test does it again. */
const memberTypes: Readonly<Record<string, MemberType>> = {
  $schema: "string",
  advisorModel: "string",
  agent: "string",
  apiKeyHelper: "string",
  attributionProject: "string",
  autoMemoryDirectory: "string",
  awsAuthRefresh: "string",
  awsCredentialExport: "string",
  claudeMd: "string",
  gcpAuthRefresh: "string",
  language: "string",
  minimumVersion: "string",
  model: "string",
  otelHeadersHelper: "string",
  outputStyle: "string",
  plansDirectory: "string",
  pluginTrustMessage: "string",
  prUrlTemplate: "string",
  processWrapper: "string",
  proxyAuthHelper: "string",
  requiredMaximumVersion: "string",
  requiredMinimumVersion: "string",
  timeFormat: "string",
  timeZone: "string",
  agentPushNotifEnabled: "boolean",
  allowAllClaudeAiMcps: "boolean",
  allowClaudeInChromeWithManagedMcp: "boolean",
  allowNestedModelAccessUnderForceLogin: "boolean",
  alwaysThinkingEnabled: "boolean",
  autoCompactEnabled: "boolean",
  autoDreamEnabled: "boolean",
  autoMemoryEnabled: "boolean",
  autoScrollEnabled: "boolean",
  bashEditDiffEnabled: "boolean",
  disableAllHooks: "boolean",
  disableReplyCheck: "boolean",
  emojiCompletionEnabled: "boolean",
  fastMode: "boolean",
  fileCheckpointingEnabled: "boolean",
  forceRemoteSettingsRefresh: "boolean",
  idleCompaction: "boolean",
  includeCoAuthoredBy: "boolean",
  includeGitInstructions: "boolean",
  inputNeededNotifEnabled: "boolean",
  precomputeCompactionEnabled: "boolean",
  prefersReducedMotion: "boolean",
  promptSuggestionEnabled: "boolean",
  respectGitignore: "boolean",
  respondToBashCommands: "boolean",
  showClearContextOnPlanAccept: "boolean",
  showMessageTimestamps: "boolean",
  showThinkingSummaries: "boolean",
  showTurnDuration: "boolean",
  spinnerTipsEnabled: "boolean",
  switchModelsOnFlag: "boolean",
  syntaxHighlightingDisabled: "boolean",
  terminalProgressBarEnabled: "boolean",
  terminalTitleFromRename: "boolean",
  todoFeatureEnabled: "boolean",
  verbose: "boolean",
  voiceEnabled: "boolean",
  wheelScrollAccelerationEnabled: "boolean",
  workflowKeywordTriggerEnabled: "boolean",
  wslInheritsWindowsSettings: "boolean",
  cleanupPeriodDays: "number",
  desktopSessionCleanupPeriodDays: "number",
  feedbackSurveyRate: "number",
  skillListingBudgetFraction: "number",
  skillListingMaxDescChars: "number",
  autoMode: "object",
  enabledPlugins: "object",
  env: "object",
  modelOverrides: "object",
  permissions: "object",
  pluginConfigs: "object",
  remote: "object",
  sandbox: "object",
  skillOverrides: "object",
  voice: "object",
  worktree: "object",
  allowedHttpHookUrls: "strings",
  availableModels: "strings",
  claudeMdExcludes: "strings",
  companyAnnouncements: "strings",
  fallbackModel: "strings",
  httpHookAllowedEnvVars: "strings",
  pluginSuggestionMarketplaces: "strings",
};
