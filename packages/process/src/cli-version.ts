import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { drainPipe } from "./drain-pipe.ts";
import { inheritEnv } from "./environment.ts";
import { oldestCliVersion, SUPPORTED_CLI_VERSION } from "./supported-cli.ts";
import type { Environment } from "./variables.ts";

/** How the version of a CLI compares with {@link SUPPORTED_CLI_VERSION}. */
export interface CliVersionCheck {
  /** The version that was given. */
  readonly version: string | undefined;
  /** {@link SUPPORTED_CLI_VERSION}. */
  readonly supported: string;
  /**
   * - `"supported"`: the one that these packages are written for.
   * - `"newer"`, `"older"`: another one. What both sides know works.
   * - `"too-old"`: before 2.0.0, which does not speak the same protocol.
   * - `"unknown"`: no version was given, or nothing that looks like one.
   */
  readonly verdict: "supported" | "newer" | "older" | "too-old" | "unknown";
}

/**
 * Compares the version of a CLI with the one that these packages are written for. It judges and never refuses.
 *
 * @param version As {@link ClaudeLocation.version} or `claude --version` say it, or `claude_code_version` of the answer to initialize. What
 * stands behind the three numbers is not read.
 * @example
 * const { verdict } = checkCliVersion(await locateClaude().version());
 */
export function checkCliVersion(version: string | undefined): CliVersionCheck {
  const given = numbersOf(version ?? "");
  const verdict =
    given === undefined
      ? "unknown"
      : isBefore(given, oldestCliVersion)
        ? "too-old"
        : isBefore(given, SUPPORTED_CLI_VERSION)
          ? "older"
          : given.join(".") === SUPPORTED_CLI_VERSION
            ? "supported"
            : "newer";
  return { version, supported: SUPPORTED_CLI_VERSION, verdict };
}

function numbersOf(version: string): readonly number[] | undefined {
  const numbers = /^\s*v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1);
  return numbers?.map(Number);
}

function isBefore(version: readonly number[], other: string): boolean {
  const others = numbersOf(other) ?? [];
  const at = version.findIndex((number, i) => number !== others[i]);
  return at >= 0 && version[at]! < others[at]!;
}

/** What was read, by path, time of change and size. */
const known = /* @__PURE__ */ new Map<string, Promise<string | undefined>>();

/** It takes about 15 ms, more on a busy machine. */
const versionTimeoutMs = 5000;

/** Whatever prints more is no CLI. */
const maxBytes = 4096;

/** The version that a CLI says it has. See {@link ClaudeLocation.version}. */
export function readCliVersion(path: string, env: Environment): Promise<string | undefined> {
  const key = fileKey(path);
  const before = key === undefined ? undefined : known.get(key);
  if (before !== undefined) return before;
  const reading = askVersion(path, env);
  if (key === undefined) return reading;
  known.set(key, reading);
  // A machine that was too busy for an answer may give one the next time.
  void reading.then((version) => version ?? known.delete(key));
  return reading;
}

function fileKey(path: string): string | undefined {
  try {
    const { mtimeMs, size } = statSync(path);
    return [path, mtimeMs, size].join("\0");
  } catch {
    return undefined;
  }
}

function askVersion(path: string, env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    const isScript = /\.(?:js|mjs)$/.test(path);
    try {
      const child = spawn(isScript ? process.execPath : path, isScript ? [path, "--version"] : ["--version"], {
        env: inheritEnv({ NODE_OPTIONS: undefined }, env),
        stdio: ["ignore", "pipe", "ignore"],
        windowsHide: true,
      });
      // Not the option of spawn, whose timer stays when the start fails.
      const timer = setTimeout(() => child.kill("SIGKILL"), versionTimeoutMs);
      child.on("error", () => {
        clearTimeout(timer);
        resolve(undefined);
      });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (output.length < maxBytes) output += text;
      });
      // A grandchild may hold the pipe, so its end is not what is waited for.
      child.on("exit", () => {
        clearTimeout(timer);
        void drainPipe(child.stdout, maxBytes).then(() => resolve(numbersOf(output)?.join(".")));
      });
    } catch {
      resolve(undefined);
    }
  });
}
