import type { OpenString } from "../open.ts";
import type { PermissionBehavior } from "../permissions.ts";

/** The settings that are in force, and where they come from. */
export interface SettingsResponse {
  readonly effective: Readonly<Record<string, unknown>>;
  readonly sources: { readonly source: string; readonly settings: Readonly<Record<string, unknown>> }[];
  readonly served_settings_state?: string;
  /** What became of some settings in this session: model, effort and internal flags. */
  readonly applied: {
    readonly model: string;
    readonly effort: string | null;
    readonly [name: string]: unknown;
  };
  readonly errors?: SettingsParseError[];
}

/** A settings file that could not be read, or not in whole. */
export interface SettingsParseError {
  readonly file?: string;
  readonly path: string;
  readonly message: string;
}

/** The rules that are in force. */
export interface PermissionRulesState {
  readonly rules: PermissionRuleEntry[];
  readonly workspaceDirectories: { readonly path: string; readonly source: string }[];
  readonly originalCwd: string;
  readonly managedOnly: boolean;
  readonly errors?: SettingsParseError[];
  readonly withheld?: boolean;
}

/** A rule, as it was written. */
export interface PermissionRuleEntry {
  readonly behavior: PermissionBehavior;
  readonly source: OpenString<
    | "userSettings"
    | "projectSettings"
    | "localSettings"
    | "flagSettings"
    | "policySettings"
    | "cliArg"
    | "command"
    | "session"
    | "mcpMount"
    | "toolsNarrowing"
    | "mcpServerPolicy"
    | "hostCredential"
  >;
  readonly rule: string;
  /** Words for display. */
  readonly description?: { readonly prefix: string; readonly emphasis?: string; readonly suffix?: string };
  readonly editability: OpenString<"persistent" | "session" | "readonly">;
  readonly notInEffect?: boolean;
}

/** The hooks of settings files and plugins, and all events. */
export interface HooksListing {
  readonly events: {
    readonly name: string;
    readonly summary: string;
    readonly supportsMatcher: boolean;
    readonly hookCount: number;
  }[];
  readonly hooks: HooksListingEntry[];
  readonly eventCatalog: { readonly name: string; readonly summary: string; readonly supportsMatcher: boolean }[];
  readonly policy: {
    readonly disabledByPolicy: boolean;
    readonly managedOnly: boolean;
    readonly pluginOnly: boolean;
    readonly allDisabled: boolean;
    readonly policyHookCount: number;
    readonly policyUnreadable?: true;
  };
  readonly safeMode?: { readonly managedHooksStillApply: boolean; readonly exitHint: string };
  readonly bareMode?: { readonly exitHint: string };
  readonly errors?: SettingsParseError[];
}

/** A hook of a settings file or plugin. */
export interface HooksListingEntry {
  readonly event: string;
  readonly matcher: string;
  readonly source: string;
  readonly sourceLabel: string;
  readonly pluginName?: string;
  readonly type: string;
  readonly displayText: string;
  readonly commandText: string;
  readonly contentLabel: string;
  readonly condition?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly statusMessage?: string;
  readonly runsOnce?: boolean;
  readonly runsInBackground?: boolean;
  readonly disabled?: true;
  readonly editable?: {
    readonly matcher: string;
    readonly config: Readonly<Record<string, unknown>>;
    readonly headersRedacted?: true;
  };
}
