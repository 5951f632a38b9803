import type { LaunchOptions } from "./launch-options.ts";
import { optionRows } from "./option-table.ts";
import { matchedSdkVersion } from "./supported-cli.ts";
import { type Environment, sameNames, variable } from "./variables.ts";

/**
 * Variables by which a CLI tells its own children about itself. A host that runs inside of a session (as a tool, a hook, in the
 * terminal of an editor) does not hand them on by default: the new session would take itself for a part of that one.
 *
 * Seen in the environment of a command that CLI 2.1.328 started, except `CLAUDE_CODE_SSE_PORT` (editors), and
 * `CLAUDE_PROJECT_DIR`, `CLAUDE_ENV_FILE`, `CLAUDE_PLUGIN_ROOT`, `CLAUDE_PLUGIN_DATA` (hooks).
 */
export const outerSessionVariables: readonly string[] = [
  "AI_AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_NOTES_DIR",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_PID",
  "CLAUDE_PLUGIN_DATA",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_PROJECT_DIR",
];

/** These say who started the CLI. A user may set them for all sessions, so they are the outer session's only inside of one. */
const identityVariables = ["CLAUDE_CODE_ENTRYPOINT", "CLAUDE_AGENT_SDK_VERSION", "CLAUDE_AGENT_SDK_CLIENT_APP"];

/** Switches of the host's own that a child would misread. As in the official SDK they go from an inherited environment only. */
const hostVariables = [
  "CLAUDE_CODE_QUESTION_EXTENDED",
  "CLAUDE_CODE_QUESTION_OPTIONAL_DESCRIPTIONS",
  "CLAUDE_CODE_AGENT_PROGRESS_SUMMARIES",
];

/**
 * The environment of the host with some variables changed, to be used as the option `env`, which replaces the host's.
 *
 * Leaves out the {@link outerSessionVariables}, as a start without `env` does; give one here to keep it. The host's own
 * environment is not changed.
 *
 * @param changes Variables to set; `undefined` removes one.
 * @param from The environment to begin with. Default `process.env`.
 * @example
 * buildLaunch({ env: inheritEnv({ ANTHROPIC_BASE_URL: "http://127.0.0.1:8080", HTTPS_PROXY: undefined }) });
 */
export function inheritEnv(changes: Environment = {}, from: Environment = process.env): Record<string, string> {
  const env: Record<string, string | undefined> = { ...from };
  const isInsideSession = env["CLAUDECODE"] !== undefined || env["CLAUDE_CODE_CHILD_SESSION"] !== undefined;
  for (const name of outerSessionVariables) delete env[name];
  for (const name of isInsideSession ? identityVariables : []) delete env[name];
  for (const name of hostVariables) remove(env, name);
  return defined({ ...env, ...changes });
}

/** What the environment of the child depends on besides the options. */
export interface EnvironmentHost {
  /** The environment that is inherited. */
  readonly env: Environment;
  /** As `process.platform`. */
  readonly platform: string;
  /** Variables that hand on a trace. */
  readonly trace?: Readonly<Record<string, string>>;
}

/**
 * The environment of the child: that of the host, or the option `env` in its place, and what this package and the options set.
 *
 * @see contracts/spawn-args.md, "Environment"; verified against CLI 2.1.328
 */
export function buildEnvironment(options: LaunchOptions, host: EnvironmentHost): Record<string, string> {
  const { platform } = host;
  const env: Record<string, string> = options.env == null ? inheritEnv({}, host.env) : defined(options.env);
  setDefault(env, "CLAUDE_CODE_ENTRYPOINT", "sdk-ts");
  setDefault(env, "CLAUDE_AGENT_SDK_VERSION", matchedSdkVersion);
  setDefault(env, "CLAUDE_AGENT_SDK_CLIENT_APP", "reins");
  // Makes the CLI say when a run is over. Whoever has set it, in any way, wants something else.
  if (sameNames(env, "CLAUDE_CODE_SDK_READS_SESSION_STATE").length === 0)
    env["CLAUDE_CODE_SDK_READS_SESSION_STATE"] = "1";
  setFromOptions(env, options);
  setTrace(env, options.env ?? {}, host.trace ?? {});
  // Meant for the host: it would make a CLI that is a script load modules, and print what is no frame.
  removeOn(platform, env, "NODE_OPTIONS");
  removeOn(platform, env, "DEBUG");
  // As the official SDK does, for those who look for its faults.
  if (env["DEBUG_CLAUDE_AGENT_SDK"]) env["DEBUG"] = "1";
  // Else Windows would run a command of the CLI from the working directory, where anybody may have put one.
  if (platform === "win32" && variable(env, noCurrentDirectory, platform) === undefined) env[noCurrentDirectory] = "1";
  return env;
}

const noCurrentDirectory = "NoDefaultCurrentDirectoryInExePath";

function setFromOptions(env: Record<string, string>, options: LaunchOptions): void {
  for (const { option, row } of optionRows()) {
    // Looked up by the names of the table.
    const value = (options as Readonly<Record<string, unknown>>)[option];
    if (value != null && row.variables !== undefined) Object.assign(env, defined(row.variables(value)));
  }
}

/** What the caller has set wins. What was inherited is of an older trace, and must not be mixed with this one. */
function setTrace(env: Record<string, string>, given: Environment, trace: Readonly<Record<string, string>>): void {
  if (trace["TRACEPARENT"] !== undefined) {
    for (const name of ["TRACEPARENT", "TRACESTATE"]) if (!(name in given)) delete env[name];
  }
  for (const [name, value] of Object.entries(trace)) if (!(name in given)) env[name] = value;
}

function setDefault(env: Record<string, string>, name: string, value: string): void {
  if (!env[name]) env[name] = value;
}

function defined(env: Environment): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value != null) result[name] = String(value);
  }
  return result;
}

function removeOn(platform: string, env: Record<string, string>, name: string): void {
  if (platform === "win32") remove(env, name);
  else delete env[name];
}

function remove(env: Record<string, string | undefined>, name: string): void {
  for (const key of sameNames(env, name)) delete env[key];
}
