import type { LaunchOptions } from "./launch-options.ts";
import { isObject } from "./option-rules.ts";
import { isSettingsText, settingsText } from "./settings.ts";
import { skillRules } from "./skills.ts";
import { toolRules } from "./tool-rules.ts";

/** An option that the CLI needs before it can start, and that the initialize request can carry if the CLI waits for it. */
type LaunchField = "mcpServers" | "plugins" | "settings" | "managedSettings" | "disallowedTools";

/** The options as they are written, after those that touch one another have met. */
export interface SettledOptions extends LaunchOptions {
  /** Which of the options travel in the initialize request, so that nobody can read them and no limit is in their way. */
  readonly inInitialize: ReadonlySet<LaunchField>;
  /** Whether the CLI has to wait for the initialize request, because that carries what it needs to start. */
  readonly awaitInitialize: boolean;
}

/** An option whose value has to leave the command line because there is no room for it. */
export type Moved = ReadonlySet<string>;

/**
 * Lets options that touch one another meet.
 *
 * @param moved Options that are too long for the command line, and for which {@link canMove} is true.
 */
export function settleOptions(options: LaunchOptions, moved: Moved = new Set()): SettledOptions {
  const ruled = withSkillRules(options);
  const settings = settingsText(settingsOf(options), options.sandbox ?? undefined);
  const settled: LaunchOptions = {
    ...ruled,
    // Not the default prompt: that one is asked for by name. As in the official SDK.
    systemPrompt: options.systemPrompt ?? "",
    settings,
    ...permissionsIntoSettings(ruled, settings, moved),
  };
  const inInitialize = launchFields(settled, moved);
  return { ...settled, inInitialize, awaitInitialize: inInitialize.size > 0 };
}

/** Whether an option has another way to the CLI than the command line, and its caller has not asked for that one. */
export function canMove(option: string, options: LaunchOptions): boolean {
  switch (option) {
    case "plugins":
      return options.pluginDelivery == null;
    case "disallowedTools":
      return true;
    case "allowedTools":
    case "additionalDirectories": {
      const settings = settingsOf(options);
      return settings === undefined || typeof settings === "object" || isSettingsText(settings);
    }
    default:
      return false;
  }
}

function settingsOf({ settings, extraArgs }: LaunchOptions): string | object | undefined {
  return settings || extraArgs?.["settings"] || undefined;
}

function withSkillRules(options: LaunchOptions): LaunchOptions {
  const rules = options.skills == null ? [] : skillRules(options.skills);
  return { ...options, allowedTools: [...new Set([...(options.allowedTools ?? []), ...rules])] };
}

/** The same permissions as settings, where they act in the same way (verified against CLI 2.1.328). */
function permissionsIntoSettings(options: LaunchOptions, settings: string | undefined, moved: Moved): LaunchOptions {
  const rules = moved.has("allowedTools") ? toolRules(options.allowedTools ?? []) : undefined;
  const folders = moved.has("additionalDirectories") ? options.additionalDirectories : undefined;
  if (rules === undefined && folders === undefined) return {};
  const given: Readonly<Record<string, unknown>> = JSON.parse(settings || "{}");
  const permissions = isObject(given["permissions"]) ? { ...given["permissions"] } : {};
  if (rules !== undefined) permissions["allow"] = appended(permissions["allow"], rules);
  if (folders !== undefined) {
    permissions["additionalDirectories"] = appended(permissions["additionalDirectories"], folders);
  }
  return {
    settings: JSON.stringify({ ...given, permissions }),
    ...(rules !== undefined && { allowedTools: [] }),
    ...(folders !== undefined && { additionalDirectories: [] }),
  };
}

function appended(list: unknown, more: readonly string[]): unknown[] {
  return [...(Array.isArray(list) ? list : []), ...more];
}

function launchFields(options: LaunchOptions, moved: Moved): ReadonlySet<LaunchField> {
  const { mcpServers, plugins, settings, managedSettings } = options;
  const fields = new Set<LaunchField>();
  if (Object.keys(mcpServers ?? {}).length > 0 && options.mcpServersDelivery !== "argv") fields.add("mcpServers");
  if ((plugins ?? []).length > 0 && (options.pluginDelivery === "initialize" || moved.has("plugins")))
    fields.add("plugins");
  if (typeof settings === "string" && isSettingsText(settings) && options.settingsDelivery !== "argv")
    fields.add("settings");
  if (managedSettings != null && options.managedSettingsDelivery !== "argv") fields.add("managedSettings");
  if (moved.has("disallowedTools")) fields.add("disallowedTools");
  return fields;
}
