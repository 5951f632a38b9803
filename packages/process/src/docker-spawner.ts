import { spawnByShell } from "./remote-shell.ts";
import type { SpawnClaudeCodeProcess } from "./spawned-process.ts";

/** Options of {@link dockerSpawner}. */
export interface DockerSpawnerOptions {
  /** Name or id of a container that runs, and in which there are a POSIX shell and the CLI. */
  readonly container: string;
  /** Program that takes `exec -i`. Default `"docker"`; podman and nerdctl take the same. */
  readonly program?: string;
  /** More arguments of `exec`, such as `["--user", "app"]`. */
  readonly args?: readonly string[];
  /**
   * Variables to hand on although this host has them with the same value, such as `["ANTHROPIC_API_KEY"]`. Those that the options give
   * another value are always handed on.
   */
  readonly forwardEnv?: readonly string[];
}

/**
 * Makes a spawner that runs the CLI in a container, by `docker exec`.
 *
 * `cwd` and `pathToClaudeCodeExecutable` are paths in the container. An end by force reaches the process there, by a second `exec`.
 *
 * @throws TypeError for a name that `exec` would take for a flag.
 * @example
 * query({
 *   prompt,
 *   options: {
 *     pathToClaudeCodeExecutable: "/usr/local/bin/claude",
 *     cwd: "/workspace",
 *     spawnClaudeCodeProcess: dockerSpawner({ container: "box", forwardEnv: ["ANTHROPIC_API_KEY"] }),
 *   },
 * });
 */
export function dockerSpawner(options: DockerSpawnerOptions): SpawnClaudeCodeProcess {
  const { container, program = "docker", args = [], forwardEnv = [] } = options;
  if (!/^[A-Za-z0-9]/.test(container)) throw new TypeError(`${JSON.stringify(container)} is no name of a container.`);
  const command = (script: string) => [program, "exec", "-i", ...args, container, "sh", "-c", script] as const;
  return (spawnOptions) => spawnByShell({ command, forwardEnv }, spawnOptions);
}
