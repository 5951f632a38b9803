import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "./resolve-settings-check.ts";
import { mergeSettings } from "./resolve-settings-merge.ts";
import { restrictiveSettings } from "./resolve-settings-restrictive.ts";

/** Which policy settings come from. Here: the service, a file of the machine, or the program. */
export type PolicySettingsOrigin = "helper" | "remote" | "plist" | "hklm" | "file" | "parent" | "hkcu";

/** The policy that applies, and what may be missing from it. */
export interface Policy {
  readonly settings?: Record<string, unknown>;
  readonly origin: PolicySettingsOrigin;
  readonly didNotLoad: false | ("profile" | "registry" | "file")[];
}

/**
 * The policy of the service, else that of the machine, else that of the program. With `parentSettingsBehavior: "merge"` the program's
 * restrictions are added to one of the others.
 */
export async function policySettings(options: {
  readonly managedSettings?: object | undefined;
  readonly serverManagedSettings?: object | undefined;
}): Promise<Policy> {
  const { managedSettings = {}, serverManagedSettings } = options;
  const machine = await machineSettings(policyFolder());
  const unread: ("profile" | "registry" | "file")[] = machine.isComplete ? [] : ["file"];
  if (process.platform === "darwin") unread.unshift("profile");
  if (process.platform === "win32") unread.unshift("registry");
  const didNotLoad = unread.length > 0 ? unread : false;
  const restrictions = restrictiveSettings({ ...managedSettings });
  const [origin, settings] = isFilled(serverManagedSettings)
    ? (["remote", { ...serverManagedSettings }] as const)
    : (["file", machine.settings] as const);
  if (Object.keys(settings).length > 0) {
    const isMerged = "parentSettingsBehavior" in settings && settings["parentSettingsBehavior"] === "merge";
    return { settings: isMerged ? mergeSettings(restrictions, settings) : { ...settings }, origin, didNotLoad };
  }
  const isRestricted = Object.keys(restrictions).length > 0;
  return { ...(isRestricted && { settings: restrictions }), origin: "parent", didNotLoad };
}

function isFilled(settings: object | undefined): settings is object {
  return settings !== undefined && Object.keys(settings).length > 0;
}

/** Where an administrator puts the files. */
function policyFolder(): string {
  if (process.platform === "darwin") return "/Library/Application Support/ClaudeCode";
  if (process.platform === "win32") return "C:\\Program Files\\ClaudeCode";
  return "/etc/claude-code";
}

/**
 * `managed-settings.json`, and behind it the files of `managed-settings.d` in the order of their names.
 *
 * @returns Whether all files that are there could be read, too.
 */
export async function machineSettings(
  folder: string,
): Promise<{ readonly settings: Record<string, unknown>; readonly isComplete: boolean }> {
  let settings: Record<string, unknown> = {};
  let isComplete = true;
  const paths = [join(folder, "managed-settings.json"), ...(await dropIns(join(folder, "managed-settings.d")))];
  for (const path of paths) {
    try {
      const value: unknown = JSON.parse((await readFile(path, "utf8")).replace(/^\uFEFF/, ""));
      if (isRecord(value)) settings = mergeSettings(settings, value);
      else isComplete = false;
    } catch (error) {
      isComplete &&= error instanceof Error && "code" in error && error.code === "ENOENT";
    }
  }
  return { settings, isComplete };
}

async function dropIns(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .sort()
    .map((name) => join(folder, name));
}
