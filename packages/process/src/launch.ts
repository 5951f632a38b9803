import { type Argument, type Command, checkArguments } from "./argument-limits.ts";
import { refuseContradictions, warnOfIneffective } from "./contradictions.ts";
import { buildEnvironment } from "./environment.ts";
import { OptionError } from "./errors.ts";
import { fitArguments } from "./fit-arguments.ts";
import { toJson } from "./json.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { locateClaude } from "./locate.ts";
import { warnOfUnknownOptions } from "./option-names.ts";
import { problemOf } from "./option-rules.ts";
import { launchOptionNames, optionRows } from "./option-table.ts";
import type { SettledOptions } from "./settle-options.ts";
import { traceContext } from "./trace-context.ts";
import type { Environment } from "./variables.ts";

/** What is started, and what it has to be told first. */
export interface Launch {
  /** The program to run: the CLI, or the interpreter of a CLI that is a script. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Private files that have to be there while it runs; the path of each belongs to the end of an argument. {@link startClaude} does that. */
  readonly files?: readonly LaunchFile[];
  /** Working directory; `undefined` for that of the host. */
  readonly cwd: string | undefined;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The CLI itself; differs from `command` where that is an interpreter. */
  readonly cliPath: string;
  /** Fields of the initialize control request, which has to be the first line that the CLI reads. Copies, not the objects given. */
  readonly initialize: Readonly<Record<string, unknown>>;
}

/** A value that was too long for the command line, and that the CLI also reads from a file. */
export interface LaunchFile {
  /** The argument in {@link Launch.args} to whose end the path belongs, such as `--settings=`. */
  readonly argument: string;
  /** Where the value comes from. */
  readonly option: string;
  readonly content: string;
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
  /** User id under which the CLI will run; `undefined` when it is not known, or on Windows. */
  readonly uid?: number | undefined;
  /** Variables that hand on the trace in which the session is started, such as `TRACEPARENT`. Default: those of the running code. */
  readonly trace?: Readonly<Record<string, string>>;
}

/**
 * Turns options into a command line, an environment and the fields of the initialize request. Starts nothing; apart from looking for the
 * CLI, it depends on its arguments only.
 *
 * MCP servers and settings travel in the initialize request, since the command line can be read by other users of the machine. So does
 * whatever has no room on the command line and can; what is left is an {@link OptionTooLongError}.
 *
 * @param host What differs from this process and this machine.
 * @throws {@link OptionError} when an option cannot reach the CLI, or the CLI would refuse it; {@link OptionTooLongError} when it does not fit;
 * {@link CliNotFoundError} when there is no CLI.
 * @example
 * const launch = buildLaunch({ model: "haiku", cwd: "/srv/project", maxTurns: 3 });
 * @see contracts/spawn-args.md; verified against CLI 2.1.328
 */
export function buildLaunch(options: LaunchOptions = {}, host: Partial<LaunchHost> = {}): Launch {
  const where = { ...thisHost(), ...host };
  checkOptions(options);
  const env = buildEnvironment(options, where);
  refuseContradictions(options, { uid: where.uid, env });
  warnOfUnknownOptions(options, launchOptionNames(), options.onWarning);
  warnOfIneffective(options);
  const command = commandOf(options, where);
  const { args, settled } = fitArguments(command, options);
  const initialize = initializeFields(settled);
  checkArguments(where.platform, command, args, env);
  return {
    command: command.program,
    args: [...command.before, ...args].map(({ text }) => text),
    files: filesOf([...command.before, ...args]),
    cwd: options.cwd || undefined,
    env,
    cliPath: command.cliPath,
    initialize,
  };
}

/** The endings that the official SDK takes for scripts; not `.cjs`. */
const scriptName = /\.(js|mjs|ts|tsx|jsx)$/;

function thisHost(): LaunchHost {
  return {
    platform: process.platform,
    env: process.env,
    interpreter: process.versions["bun"] === undefined ? "node" : "bun",
    locate: (path) => locateClaude({ path }).path,
    uid: process.getuid?.(),
    trace: traceContext(),
  };
}

function checkOptions(options: LaunchOptions): void {
  for (const { option, row } of optionRows()) {
    const value = given(options, option);
    const problem = value == null ? undefined : problemIn(option, () => problemOf(row.rule, value));
    if (problem !== undefined) throw new OptionError(option, problem);
  }
}

/** A value of any origin may throw when it is looked at. */
function problemIn(option: string, look: () => string | undefined): string | undefined {
  try {
    return look();
  } catch (error) {
    throw new OptionError(option, `cannot be read: ${String(error)}.`, error);
  }
}

function commandOf(options: LaunchOptions, host: LaunchHost): Command {
  const cliPath = host.locate(options.pathToClaudeCodeExecutable ?? undefined);
  const own = (options.executableArgs ?? []).map((text) => ({ option: "executableArgs", text }));
  if (!scriptName.test(cliPath)) return { program: cliPath, cliPath, before: own };
  const script = { option: "pathToClaudeCodeExecutable", text: cliPath };
  return { program: options.executable || host.interpreter, cliPath, before: [...own, script] };
}

function filesOf(args: readonly Argument[]): LaunchFile[] {
  return args.flatMap(({ option, text, file }) =>
    file === undefined ? [] : [{ argument: text, option, content: file }],
  );
}

function initializeFields(options: SettledOptions): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { option, row } of optionRows()) {
    const value = given(options, option);
    if (value == null) continue;
    const own = row.field === undefined ? {} : { [row.field]: value };
    for (const [field, content] of Object.entries({ ...own, ...row.fields?.(value, options) })) {
      // Copied, so that a later change of an object does not reach the session; and checked, so that no child is started that cannot be initialised.
      if (content != null) fields[field] = JSON.parse(toJson(option, content));
    }
  }
  return fields;
}

/** Options are looked up by the names of the table. */
function given(options: object, option: string): unknown {
  return (options as Readonly<Record<string, unknown>>)[option];
}
