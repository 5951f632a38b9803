import { type Argument, checkArguments } from "./argument-limits.ts";
import { buildEnvironment } from "./environment.ts";
import { OptionError } from "./errors.ts";
import { toJson } from "./json.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { locateClaude } from "./locate.ts";
import {
  type ArgumentRow,
  argumentRows,
  type InitializeRow,
  initializeRows,
  list,
  type SettledOptions,
  settleOptions,
} from "./option-table.ts";
import type { Environment } from "./variables.ts";

/** What is started, and what it has to be told first. */
export interface Launch {
  /** The program to run: the CLI, or the interpreter of a CLI that is a script. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Working directory; `undefined` for that of the host. */
  readonly cwd: string | undefined;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The CLI itself; differs from `command` where that is an interpreter. */
  readonly cliPath: string;
  /** Fields of the initialize control request, which has to be the first line that the CLI reads. Copies, not the objects given. */
  readonly initialize: Readonly<Record<string, unknown>>;
}

/** What a launch depends on besides the options. */
export interface LaunchHost {
  /** As `process.platform`. */
  readonly platform: string;
  /** The environment that is inherited when the option `env` is not given. */
  readonly env: Environment;
  /** What runs a script when the option `executable` is not given. */
  readonly interpreter: string;
  /** Finds the CLI, given the option `pathToClaudeCodeExecutable`. */
  readonly locate: (path: string | undefined) => string;
}

/**
 * Turns options into a command line, an environment and the fields of the initialize request. Starts nothing; apart from looking for the
 * CLI, it depends on its arguments only.
 *
 * @param host Default: this process and this machine.
 * @throws {@link OptionError} when an option cannot reach the CLI, {@link OptionTooLongError} when it does not fit,
 * {@link CliNotFoundError} when there is no CLI.
 * @example
 * const launch = buildLaunch({ model: "haiku", cwd: "/srv/project", maxTurns: 3 });
 * @see contracts/spawn-args.md; verified against CLI 2.1.328
 */
export function buildLaunch(options: LaunchOptions = {}, host: LaunchHost = thisHost()): Launch {
  const settled = settleOptions(options);
  const cliPath = host.locate(options.pathToClaudeCodeExecutable ?? undefined);
  const env = buildEnvironment(options, host.env, host.platform);
  const isScript = scriptName.test(cliPath);
  const command = isScript ? options.executable || host.interpreter : cliPath;
  const args = [
    ...list("executableArgs", options.executableArgs ?? []).map((text) => ({ option: "executableArgs", text })),
    ...(isScript ? [{ option: "pathToClaudeCodeExecutable", text: cliPath }] : []),
    ...baseArguments.map((text) => ({ option: "", text })),
    ...argumentRows.flatMap((row) => argumentsOf(row, settled)),
  ];
  checkArguments(host.platform, command, args, env);
  return {
    command,
    args: args.map(({ text }) => text),
    cwd: options.cwd || undefined,
    env,
    cliPath,
    initialize: initializeFields(settled),
  };
}

/** What makes the CLI speak stream-json both ways. It refuses that output without `--verbose`, and it needs no `--print`. */
const baseArguments = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

/** The endings that the official SDK takes for scripts; not `.cjs`. */
const scriptName = /\.(js|mjs|ts|tsx|jsx)$/;

function thisHost(): LaunchHost {
  return {
    platform: process.platform,
    env: process.env,
    interpreter: process.versions["bun"] === undefined ? "node" : "bun",
    locate: (path) => locateClaude({ path }).path,
  };
}

function argumentsOf(row: ArgumentRow, options: SettledOptions): Argument[] {
  const { option, flag } = row;
  const value = given(options, option);
  if (value == null) return [];
  // A row's function takes the value of the row's option; TypeScript cannot relate the two over a union.
  const encoding = row.as as ((value: unknown, options: SettledOptions) => readonly string[]) | string;
  const texts = typeof encoding === "string" ? encode(encoding, option, `${flag}`, value) : encoding(value, options);
  return texts.map((text) => ({ option, text }));
}

function encode(encoding: string, option: string, flag: string, value: unknown): string[] {
  switch (encoding) {
    case "switch":
      return value ? [flag] : [];
    case "value":
      return value ? [`${flag}=${plain(option, value)}`] : [];
    case "any-value":
      return [`${flag}=${plain(option, value)}`];
    case "list":
      return list(option, value).length === 0 ? [] : [`${flag}=${list(option, value).join(",")}`];
    case "any-list":
      return [`${flag}=${list(option, value).join(",")}`];
    default:
      return list(option, value).map((item) => `${flag}=${item}`);
  }
}

function plain(option: string, value: unknown): string {
  if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  throw new OptionError(option, `has to be a string or a finite number, not ${String(value)}.`);
}

function initializeFields(options: SettledOptions): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const row of initializeRows) {
    const value = initializeValue(row, options);
    // Copied, so that a later change of an object does not reach the session; and checked, so that no child is started that cannot be initialised.
    if (value != null) fields[row.field] = JSON.parse(toJson(row.option, value));
  }
  return fields;
}

function initializeValue(row: InitializeRow, options: SettledOptions): unknown {
  const value = given(options, row.option);
  if (value == null || row.value === undefined) return value;
  // As in argumentsOf.
  return (row.value as (value: unknown, options: SettledOptions) => unknown)(value, options);
}

function given(options: SettledOptions, option: string): unknown {
  // Options are looked up by the names of the table.
  return (options as unknown as Readonly<Record<string, unknown>>)[option];
}
