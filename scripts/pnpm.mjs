// Puts the pinned pnpm on PATH and installs, asking for nothing but Node and npm.
//
// Corepack is not used: it verifies signatures against registry metadata that mirrors and offline machines do not serve.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Windows runs `npx` and everything in `.bin` through command files, which need a shell. */
export const needsShell = process.platform === "win32";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Makes `pnpm` and the workspace's tools available to every child of this process. Exits when that is impossible. */
export function prepare() {
  requireNode();
  process.chdir(root);
  process.env.TURBO_TELEMETRY_DISABLED = "1";
  process.env.DO_NOT_TRACK = "1";
  process.env.PATH = [join(root, "node_modules", ".bin"), pathWithPnpm()].join(delimiter);
}

/** Installs exactly what the lockfile says. A warm store needs no network. Exits when that fails. */
export function install() {
  if (!existsSync("node_modules")) console.error("Installing what the lockfile names, once. This takes some seconds.");
  const { status } = spawnSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"], {
    shell: needsShell,
    stdio: "ignore",
  });
  if (status === 0) return;
  // The quiet try failed. Show the next one to the user, whatever it prints.
  const loud = spawnSync("pnpm", ["install", "--frozen-lockfile"], {
    shell: needsShell,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (loud.status !== 0) fail("pnpm install failed; its reason is above.");
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: Reins needs Node ${manifest.engines.node}.`);
}

function pathWithPnpm() {
  const specifier = manifest.packageManager.split("+")[0];
  const userAgent = process.env.npm_config_user_agent ?? "";
  // `pnpm check`: the right version runs already, and a pnpm that runs a script is on PATH.
  if (userAgent.startsWith(`${specifier.replace("@", "/")} `)) return process.env.PATH;
  const [command, ...prefix] = npx();
  const args = [
    "--yes",
    "--prefer-offline",
    "--no-update-notifier",
    `--package=${specifier}`,
    "--",
    "node",
    "-p",
    "process.env.PATH",
  ];
  try {
    return execFileSync(command, [...prefix, ...args], {
      encoding: "utf8",
      shell: needsShell && prefix.length === 0,
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
  } catch {
    return fail(`npx could not fetch ${specifier}; its reason is above.`);
  }
}

function npx() {
  const npm = process.env.npm_execpath ?? "";
  if (npm.endsWith("npm-cli.js")) return [process.execPath, join(dirname(npm), "npx-cli.js")];
  return ["npx"];
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
