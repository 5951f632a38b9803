import { spawnByShell } from "./remote-shell.ts";
import type { SpawnClaudeCodeProcess } from "./spawned-process.ts";

/** Options of {@link sshSpawner}. */
export interface SshSpawnerOptions {
  /** Host, as `ssh` takes it: `"user@host"`, or a name of its configuration. There has to be a POSIX `sh` there. */
  readonly destination: string;
  /** Default `"ssh"`. */
  readonly program?: string;
  /** More arguments of `ssh`, such as `["-p", "2222"]`. They come first, so they win over the ones that are always given. */
  readonly args?: readonly string[];
  /**
   * Variables to hand on although this host has them with the same value, such as `["ANTHROPIC_API_KEY"]`. Those that the options give
   * another value are always handed on.
   */
  readonly forwardEnv?: readonly string[];
}

/**
 * Makes a spawner that runs the CLI on another machine, by `ssh`.
 *
 * `cwd` and `pathToClaudeCodeExecutable` are paths there. Nobody is asked for a password or about a host key (`BatchMode`): log in once, or
 * with an agent or key. An end by force reaches the process there, by a second connection; `ControlMaster` in the configuration of `ssh` makes
 * that fast. When the connection is lost the CLI there sees the end of its input, and finishes its turn.
 *
 * @throws TypeError for a destination that `ssh` would take for a flag.
 * @example
 * startClaude(buildLaunch({ pathToClaudeCodeExecutable: "/usr/local/bin/claude", cwd: "/srv/project" }), {
 *   spawnClaudeCodeProcess: sshSpawner({ destination: "build@ci-7" }),
 * });
 */
export function sshSpawner(options: SshSpawnerOptions): SpawnClaudeCodeProcess {
  const { destination, program = "ssh", args = [], forwardEnv = [] } = options;
  if (destination === "" || destination.startsWith("-"))
    throw new TypeError(`${JSON.stringify(destination)} is no destination for ssh.`);
  const flags = [...args, "-T", "-o", "BatchMode=yes", "--", destination];
  // The login shell of the user parses this, which may be one with other rules. Single quotes are the same in all of them.
  const command = (script: string) => [program, ...flags, `exec sh -c '${script.replaceAll("'", `'\\''`)}'`] as const;
  return (spawnOptions) => spawnByShell({ command, forwardEnv }, spawnOptions);
}
