import { mkdir, open, readdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

/**
 * Copies what a CLI needs to run as itself (its login, its global state, its settings) into another configuration folder. What is missing,
 * unreadable or no regular file is left out.
 *
 * @param env The environment of the CLI: its folder is `CLAUDE_CONFIG_DIR`, else `.claude` in its home folder.
 * @see contracts/session-store.md; the list of files is that of the official SDK 0.3.328
 */
export async function seedConfig(target: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const source = env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
  const globalFolder = env["CLAUDE_CONFIG_DIR"] ? source : home;
  const copies: [from: string, change: (text: string) => string][] = [
    [join(source, ".credentials.json"), withoutRefreshToken],
    ...[".claude.json", ".claude-staging-oauth.json", ".claude-local-oauth.json", ".claude-custom-oauth.json"].map(
      (name): [string, (text: string) => string] => [join(globalFolder, name), same],
    ),
    [join(source, ".config.json"), same],
    [join(source, "settings.json"), withoutPlugins],
    [join(source, "cowork_settings.json"), withoutPlugins],
  ];
  for (const [from, change] of copies) await copy(from, join(target, basename(from)), change);
  const states = await readdir(join(source, "state")).catch(() => []);
  for (const name of states) {
    if (/^hybrid-settings.*\.json$/.test(name))
      await copy(join(source, "state", name), join(target, "state", name), same);
  }
}

async function copy(from: string, to: string, change: (text: string) => string): Promise<void> {
  const text = await readRegular(from);
  if (text === undefined) return;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await writeFile(to, change(text), { mode: 0o600, flag: "wx" });
}

/** A pipe or a device in the place of a settings file would keep the host waiting. */
async function readRegular(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, "r");
    return (await file.stat()).isFile() ? await file.readFile("utf8") : undefined;
  } catch {
    return undefined;
  }
}

function same(text: string): string {
  return text;
}

/** It can be used once; used in the copy, the original would be logged out. */
function withoutRefreshToken(text: string): string {
  return changed(text, (credentials) => {
    const { claudeAiOauth: oauth } = credentials;
    if (!isRecord(oauth)) return credentials;
    const { refreshToken: _, ...rest } = oauth;
    return { ...credentials, claudeAiOauth: rest };
  });
}

/** Plugins lie in the folder that the copy does not have, and a folder that the settings name would win over the copy. */
function withoutPlugins(text: string): string {
  return changed(text, (settings) => {
    const { enabledPlugins: _, extraKnownMarketplaces: __, additionalMarketplaces: ___, env, ...rest } = settings;
    if (!isRecord(env)) return env === undefined ? rest : { ...rest, env };
    const { CLAUDE_CONFIG_DIR: ____, ...variables } = env;
    return { ...rest, env: variables };
  });
}

/** Changes a JSON object; any other text stays as it is. */
function changed(text: string, change: (value: Record<string, unknown>) => Record<string, unknown>): string {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(value) ? JSON.stringify(change(value)) : text;
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
