import { execFile } from "node:child_process";
import { inheritEnv } from "@reins/process";
import type { Finding } from "./check.ts";

/** 20 s: it takes half a second, and more on a machine that is busy. */
const timeoutMs = 20_000;

/** What `claude auth status` says, as far as it is shown: neither keys nor addresses of people. [CLI 2.1.328] */
interface AuthStatus {
  readonly loggedIn?: unknown;
  readonly authMethod?: unknown;
  readonly apiProvider?: unknown;
  readonly apiKeySource?: unknown;
}

/** Asks Claude Code whether there is a login. It looks itself; this program reads no credential. */
export async function checkLogin(path: string, signal: AbortSignal): Promise<Finding> {
  const status = parse(await authStatus(path, signal));
  if (status === undefined) {
    return { status: "info", message: "This version of Claude Code does not say.", next: "run `claude auth status`." };
  }
  const { loggedIn, authMethod, apiProvider, apiKeySource } = status;
  if (loggedIn !== true) {
    return {
      status: "warning",
      message: "There is no login, so that only a gateway without one would answer.",
      next: "run `claude auth login`, or set ANTHROPIC_API_KEY.",
    };
  }
  const details = [authMethod, apiKeySource, apiProvider].filter((each) => typeof each === "string");
  return { status: "ok", message: `there is one (${details.join(", ")})` };
}

async function authStatus(path: string, signal: AbortSignal): Promise<string> {
  // With no login its exit code is 1, and it says so all the same.
  return await new Promise((resolve) => {
    const options = { env: inheritEnv(), signal, timeout: timeoutMs, killSignal: "SIGKILL", encoding: "utf8" } as const;
    const child = execFile(path, ["auth", "status", "--json"], options, (_error, stdout) => resolve(stdout));
    child.stdin?.end();
  });
}

function parse(text: string): AuthStatus | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "loggedIn" in value ? value : undefined;
  } catch {
    return undefined;
  }
}
