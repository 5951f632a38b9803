import { elfHeadBytes, readElf } from "./elf.ts";
import { CliNotFoundError, LaunchError, type ProcessError } from "./errors.ts";
import { type FileProbe, localFiles } from "./file-probe.ts";
import type { Launch } from "./launch.ts";
import { optionRows } from "./option-table.ts";
import { SUPPORTED_CLI_VERSION } from "./supported-cli.ts";

/**
 * Tells why a start failed. The system's own error does not: it says ENOENT alike for a missing working directory, a missing binary, a
 * missing interpreter of a script and a missing loader of a binary that is there, and blames the binary each time.
 *
 * @param error What `spawn` threw or emitted. It becomes the `cause`.
 */
export function diagnoseSpawnError(launch: Launch, error: unknown, files: FileProbe = localFiles): Error {
  const code = codeOf(error);
  // Windows calls a command line over its limit a name that is too long.
  const isTooLong = code === "E2BIG" || (code === "ENAMETOOLONG" && process.platform === "win32");
  if (isTooLong) return argumentsTooLong(launch, error);
  return (
    cwdProblem(launch, error, files) ??
    fileProblem(launch, code, error, files) ??
    new LaunchError("other", launch.command, `Failed to spawn Claude Code process: ${messageOf(error)}.`, error)
  );
}

/** Tells of a script that is not there. Its interpreter would start, and fail with an exit code of its own. */
export function diagnoseScript(launch: Launch, files: FileProbe = localFiles): Error | undefined {
  if (launch.command === launch.cliPath || files.status(launch.cliPath) !== undefined) return undefined;
  return notFound(launch.cliPath);
}

/**
 * Tells of failed starts that look like an exit: `#!/usr/bin/env node` without node, where `env` starts and fails; and a binary for
 * another processor, which libc hands to a shell.
 */
export function diagnoseExit(launch: Launch, error: ProcessError, files: FileProbe = localFiles): Error {
  if (error.exitCode === 127) {
    const name = /^#!\s*\S*\/env\s+(?:-\S+\s+)*(\S+)/.exec(shebang(launch.cliPath, files) ?? "")?.[1];
    const saysSo = error.stderrTail.includes("env:") && name !== undefined && error.stderrTail.includes(name);
    if (saysSo) return interpreterMissing(name, launch.cliPath, error);
  }
  const arch = readElf(files.head(launch.cliPath, elfHeadBytes))?.arch;
  if (error.exitCode === null || arch === undefined || arch === process.arch) return error;
  return new LaunchError(
    "wrong-architecture",
    launch.cliPath,
    `${launch.cliPath} is built for ${arch}, and this system is ${process.arch}. Install the build for ${process.arch}.`,
    error,
  );
}

/** Tells of the exit of a CLI that is too old for an option; `undefined` for any other. */
export function diagnoseUnknownFlag({ cliPath }: Launch, cause: ProcessError): LaunchError | undefined {
  const flag = /^error: unknown option '(--[\w-]+)/m.exec(cause.stderrTail)?.[1];
  if (cause.exitCode !== 1 || flag === undefined) return undefined;
  const option = optionRows().find(({ row }) => row.flag?.[0] === flag)?.option;
  const remedies: Readonly<Record<string, string>> = {
    "--await-initialize": 'Or set mcpServersDelivery and settingsDelivery to "argv".',
    "--initialize-fields": 'Or set settingsDelivery to "argv".',
    "--managed-settings-in-initialize": 'Or set managedSettingsDelivery to "argv".',
  };
  const remedy =
    remedies[flag] ?? (option === undefined ? "Or look at extraArgs." : `Or leave out the option ${option}.`);
  return new LaunchError(
    "unknown-flag",
    cliPath,
    `${cliPath} does not know ${flag}. These packages are written for CLI ${SUPPORTED_CLI_VERSION}: update it. ${remedy}`,
    cause,
  );
}

function cwdProblem({ cwd }: Launch, error: unknown, files: FileProbe): LaunchError | undefined {
  if (cwd === undefined) return undefined;
  const status = files.status(cwd);
  const problem = (reason: "cwd-missing" | "cwd-not-a-directory" | "cwd-not-accessible", what: string): LaunchError =>
    new LaunchError(
      reason,
      cwd,
      `The working directory ${cwd} ${what}. Set the option cwd to a directory that is there.`,
      error,
    );
  if (status === undefined) return problem("cwd-missing", "does not exist");
  if (status.kind !== "directory") return problem("cwd-not-a-directory", "is not a directory");
  return status.executable ? undefined : problem("cwd-not-accessible", "may not be entered by this user");
}

function fileProblem(launch: Launch, code: string, error: unknown, files: FileProbe): Error | undefined {
  const { command, cliPath } = launch;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  if (command !== cliPath)
    return isMissing ? interpreterMissing(command, cliPath, error) : notRunnable(command, code, error);

  const status = files.status(command);
  if (status === undefined) return isMissing ? notFound(command, error) : undefined;
  if (status.kind === "directory") return notRunnable(command, "EISDIR", error);
  if (code !== "ENOENT") return notRunnable(command, code, error);

  const interpreter = /^#!\s*(\S+)/.exec(shebang(command, files) ?? "")?.[1];
  if (interpreter !== undefined) return interpreterMissing(interpreter, command, error);
  const loader = readElf(files.head(command, elfHeadBytes))?.interpreter;
  return loader === undefined ? undefined : wrongLibc(command, loader, error);
}

function notFound(path: string, error?: unknown): CliNotFoundError {
  const isBareName = !/[/\\]/.test(path);
  return new CliNotFoundError(
    [{ place: isBareName ? `${path} on PATH of the child` : path, outcome: "missing" }],
    error,
  );
}

function notRunnable(path: string, code: string, error: unknown): LaunchError | undefined {
  if (code === "EISDIR") {
    return new LaunchError(
      "not-executable",
      path,
      `${path} is a directory. Set pathToClaudeCodeExecutable to the file.`,
      error,
    );
  }
  if (code !== "EACCES" && code !== "EPERM") return undefined;
  const advice = "Make it executable, and look whether its file system is mounted with noexec.";
  return new LaunchError("not-executable", path, `${path} is there, but this user may not run it. ${advice}`, error);
}

function interpreterMissing(interpreter: string, script: string, cause: unknown): LaunchError {
  return new LaunchError(
    "interpreter-missing",
    interpreter,
    `The interpreter ${interpreter} of ${script} was not found. Install it, put it on the PATH that the child gets (option env), or set the option executable.`,
    cause,
  );
}

function wrongLibc(path: string, loader: string, cause: unknown): LaunchError {
  const libc = loader.includes("musl") ? "musl" : "glibc";
  return new LaunchError(
    "wrong-libc",
    path,
    `${path} is there, but it is built for ${libc}: its loader ${loader} is not on this system. Install the build for the C library of this system.`,
    cause,
  );
}

function argumentsTooLong({ command, args, env }: Launch, cause: unknown): LaunchError {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const longest = [...args, ...variables].reduce((a, b) => (b.length > a.length ? b : a), "");
  const name = /^[^=]*/.exec(longest)?.[0].slice(0, 80);
  const total = [...args, ...variables].reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  return new LaunchError(
    "arguments-too-long",
    command,
    `Arguments and environment take ${total} bytes, more than this system allows. The longest is ${name} with ${Buffer.byteLength(longest)} bytes.`,
    cause,
  );
}

/** The first line of a script. */
function shebang(path: string, files: FileProbe): string | undefined {
  const [line] = new TextDecoder().decode(files.head(path, 256)).split("\n");
  return line?.startsWith("#!") ? line : undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
