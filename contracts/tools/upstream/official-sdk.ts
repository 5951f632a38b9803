import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Declarations, entriesOf, readDeclarations } from "./declarations.ts";

const require = /* @__PURE__ */ createRequire(import.meta.url);
const here = /* @__PURE__ */ dirname(fileURLToPath(import.meta.url));
const packageName = "@anthropic-ai/claude-agent-sdk";

/** The official SDK, as its declarations tell of it. */
export interface OfficialSdk {
  readonly version: string;
  readonly declarations: Declarations;
}

/** Reads the version that is installed here for tests. Needs no network. */
export function readInstalledSdk(): OfficialSdk {
  return readSdk(dirname(require.resolve("@anthropic-ai/claude-agent-sdk")));
}

/**
 * Takes a version from the npm registry into a temporary folder, reads it, and removes the folder.
 *
 * @param version A version or a tag of the registry.
 * @throws Error when npm or tar fails or takes longer than two minutes.
 */
export async function fetchSdk(version: string): Promise<OfficialSdk> {
  const folder = await mkdtemp(join(tmpdir(), "upstream-sdk-"));
  try {
    await npm(["pack", `${packageName}@${version}`, "--ignore-scripts", "--pack-destination", folder], folder);
    const archive = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
    if (archive === undefined) throw new Error(`npm pack left no archive of ${packageName}@${version}.`);
    await run("tar", ["-xzf", archive], { cwd: folder, timeout: commandTimeoutMs });
    return readSdk(join(folder, "package"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The version that the registry calls the newest. */
export async function newestVersion(): Promise<string> {
  return (await npm(["view", packageName, "version"], here)).trim();
}

const run = /* @__PURE__ */ promisify(execFile);

// A package of a few MB; the bound is for a registry that does not answer.
const commandTimeoutMs = 120_000;

async function npm(args: string[], cwd: string): Promise<string> {
  // On Windows npm is a script that only a shell can start.
  const { stdout } = await run("npm", args, { cwd, timeout: commandTimeoutMs, shell: process.platform === "win32" });
  return stdout;
}

function readSdk(folder: string): OfficialSdk {
  const { version }: { version: string } = require(join(folder, "package.json"));
  // Types that are inferred from schemas need zod, which is taken from here. All else that the SDK imports are other people's words.
  const foreign = { packages: ["zod"], folder: here };
  return { version, declarations: readDeclarations(entriesOf(folder, ""), [folder], foreign) };
}
