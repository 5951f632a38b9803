import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { PermissionMode, SettingSource } from "@reins/messages";
import { checkedSettings, isRecord } from "./resolve-settings-check.ts";
import { mergeSettings } from "./resolve-settings-merge.ts";
import { type PolicySettingsOrigin, policySettings } from "./resolve-settings-policy.ts";

export type { PolicySettingsOrigin } from "./resolve-settings-policy.ts";

/** Settings of the CLI, as its files hold them. What is not named here is there too. */
export interface Settings {
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly permissions?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
    readonly additionalDirectories?: readonly string[];
    readonly defaultMode?: PermissionMode;
    readonly [field: string]: unknown;
  };
  readonly availableModels?: readonly string[];
  readonly deniedModels?: readonly string[];
  readonly [field: string]: unknown;
}

/** Where settings come from: a file of the CLI, the policy of the machine or organization, or the flag `--settings`. */
export type ResolvedSettingSource = SettingSource | "managed" | "flag";

/** Where the value of a setting comes from. */
export interface ProvenanceEntry {
  readonly source: ResolvedSettingSource;
  /** The file, if it is one of the user, the project or the folder. */
  readonly path?: string;
  /** Which policy, if it is one. */
  readonly policyOrigin?: PolicySettingsOrigin;
}

/** What applies, and where it comes from. */
export interface ResolvedSettings {
  /** All sources as one. Lists are joined, objects merged, of other values the last one counts. */
  readonly effective: Settings;
  /** Of each member of `effective` the last source that has it. */
  readonly provenance: { readonly [Key in keyof Settings]?: ProvenanceEntry };
  /** The sources that there are, each as it is; later ones win. */
  readonly sources: readonly (ProvenanceEntry & { readonly settings: Settings })[];
  /** Which kinds of policy may be there and were not read; profiles of macOS and the registry of Windows never are. */
  readonly machinePolicy?: { readonly didNotLoad: false | readonly ("profile" | "registry" | "file")[] };
}

/** Options of {@link resolveSettings}. */
export interface ResolveSettingsOptions {
  /** Folder of the project. Default: the working directory of this process. */
  readonly cwd?: string | undefined;
  /** Which files are read. Default: all. The policy of the machine is always read. */
  readonly settingSources?: readonly SettingSource[] | undefined;
  /** Settings as in the option of that name; what restricts nothing in them is left out. They only count where there is no other policy. */
  readonly managedSettings?: object | undefined;
  /** Settings that the service gave out for the organization; with these the files of the machine do not count. */
  readonly serverManagedSettings?: object | undefined;
}

/**
 * Reads the settings that a session would have, without starting the CLI: of the user, the project, the folder, and the policy, in this
 * order.
 *
 * Says what is written, and decides nothing: pass it through {@link filterEscalatingDefaultMode} before its `defaultMode` is used. A
 * file that is missing, no JSON, or has a member of the wrong type counts as not there, as for the CLI; what is deeper in it is not
 * checked. `CLAUDE_CONFIG_DIR` and the home folder are those of this process.
 */
export async function resolveSettings(options: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  const { cwd = ".", settingSources = ["user", "project", "local"] } = options;
  const folder = resolve(cwd, ".claude");
  const files: readonly [SettingSource, string][] = [
    ["user", join(process.env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude"), "settings.json")],
    ["project", join(folder, "settings.json")],
    ["local", join(folder, "settings.local.json")],
  ];
  const sources: ResolvedSettings["sources"][number][] = [];
  for (const [source, path] of files) {
    const settings = settingSources.includes(source) ? await readSettings(path) : undefined;
    if (settings !== undefined && Object.keys(settings).length > 0) sources.push({ source, settings, path });
  }
  const policy = await policySettings(options);
  if (policy.settings !== undefined)
    sources.push({ source: "managed", settings: policy.settings, policyOrigin: policy.origin });
  return { ...joined(sources), sources, machinePolicy: { didNotLoad: policy.didNotLoad } };
}

function joined(sources: ResolvedSettings["sources"]): Pick<ResolvedSettings, "effective" | "provenance"> {
  let effective: Settings = {};
  const provenance: Record<string, ProvenanceEntry> = {};
  for (const { settings, ...entry } of sources) {
    effective = mergeSettings(effective, settings);
    for (const key of Object.keys(settings)) provenance[key] = entry;
  }
  return { effective, provenance };
}

/** `undefined` for a file that does not count. Members that only a policy may have are left out. */
async function readSettings(path: string): Promise<Settings | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const settings = isRecord(value) ? checkedSettings(value) : undefined;
    if (settings === undefined) return undefined;
    const { deniedModels: _, managedMcpServers: __, ...others } = settings;
    return others;
  } catch {
    // The CLI passes over such a file as well.
    return undefined;
  }
}

/**
 * Leaves out a `permissions.defaultMode` that gives more freedom and comes from where the CLI does not trust it: `bypassPermissions` and
 * `auto` of the project or the folder, `acceptEdits` of the project. Which source decides is read off `sources`.
 */
export function filterEscalatingDefaultMode(resolved: ResolvedSettings): Settings {
  const { effective, sources } = resolved;
  const mode = effective.permissions?.defaultMode;
  if (mode !== "bypassPermissions" && mode !== "auto" && mode !== "acceptEdits") return effective;
  const deciding = sources.findLast(({ settings }) => settings.permissions?.defaultMode !== undefined)?.source;
  const isUntrusted = deciding === "project" || (deciding === "local" && mode !== "acceptEdits");
  if (!isUntrusted) return effective;
  const { defaultMode: _, ...permissions } = effective.permissions ?? {};
  return { ...effective, permissions };
}
