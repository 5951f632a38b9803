import { isRecord } from "./resolve-settings-check.ts";

/** What of a member restricts: a list, a list or a text, one of the values that are given, or of an object the members that are named. */
type Restriction =
  | "list"
  | "text or list"
  | readonly [unknown, ...unknown[]]
  | { readonly [member: string]: Restriction };

/** What in settings restricts a session; everything else is left out. This is what the CLI takes from the option `managedSettings`. */
export function restrictiveSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return restrict(settings, restrictions);
}

function restrict(
  value: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Restriction>>,
): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  for (const [key, rule] of Object.entries(rules)) {
    if (!Object.hasOwn(value, key)) continue;
    const member = value[key];
    if (rule === "list" || rule === "text or list") {
      if (Array.isArray(member) || (rule !== "list" && typeof member === "string")) kept.push([key, member]);
    } else if (isList(rule)) {
      if (rule.includes(member)) kept.push([key, member]);
    } else if (isRecord(member)) {
      const inner = restrict(member, rule);
      if (Object.keys(inner).length > 0) kept.push([key, inner]);
    }
  }
  return Object.fromEntries(kept);
}

// Array.isArray does not narrow a union with a readonly array.
function isList(rule: Restriction): rule is readonly [unknown, ...unknown[]] {
  return Array.isArray(rule);
}

const on: Restriction = [true];
const off: Restriction = [false];
const disable: Restriction = ["disable"];

/** Found by giving each member of the official type to the official function (0.3.328); a test does it again. */
const restrictions: Readonly<Record<string, Restriction>> = {
  allowManagedHooksOnly: on,
  allowManagedMcpServersOnly: on,
  allowManagedPermissionRulesOnly: on,
  allowedHttpHookUrls: "list",
  allowedMcpServers: "list",
  allowedProviders: "list",
  attribution: { commitTrailers: off, sessionUrl: off },
  availableModels: "list",
  availableModelsMatch: ["exact"],
  deniedMcpServers: "list",
  deniedModels: "list",
  disableAgentView: on,
  disableArtifact: on,
  disableAutoMode: disable,
  disableClaudeAiConnectors: on,
  disableCommandPluginSources: on,
  disableRemoteControl: on,
  disableSideloadFlags: on,
  disableSkillShellExecution: on,
  disableWindowsBashCommandSplit: on,
  disableWorkflows: on,
  enableArtifact: off,
  enableWorkflows: off,
  enforceAvailableModels: on,
  forceLoginOrgUUID: "text or list",
  httpHookAllowedEnvVars: "list",
  permissions: {
    additionalDirectories: "list",
    allow: "list",
    ask: "list",
    blockReadsOutsideWorkingDirectories: on,
    blockWritesOutsideWorkingDirectories: on,
    deny: "list",
    denyInsteadOfPrompting: on,
    disableAutoMode: disable,
    disableBypassPermissionsMode: disable,
  },
  sandbox: {
    allowAppleEvents: off,
    allowNestedUserNamespaces: off,
    allowUnsandboxedCommands: off,
    autoAllowBashIfSandboxed: off,
    enableWeakerNestedSandbox: off,
    enableWeakerNetworkIsolation: off,
    enabled: on,
    failIfUnavailable: on,
    filesystem: {
      allowManagedReadPathsOnly: on,
      allowRead: "list",
      denyRead: "list",
      denyWrite: "list",
      disabled: off,
    },
    network: {
      allowAllUnixSockets: off,
      allowLocalBinding: off,
      allowManagedDomainsOnly: on,
      allowedDomains: "list",
      deniedDomains: "list",
      strictAllowlist: on,
    },
  },
  strictKnownMarketplaces: "list",
  strictPluginOnlyCustomization: on,
  syncClaudeAiPlugins: off,
  syncClaudeAiSkills: off,
};
