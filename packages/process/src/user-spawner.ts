import { spawn } from "node:child_process";
import { killTree } from "./process-tree.ts";
import { type SpawnClaudeCodeProcess, withPipes } from "./spawned-process.ts";

/** Options of {@link userSpawner}. */
export interface UserSpawnerOptions {
  /** Id of the user. */
  readonly uid: number;
  /** Id of the group. The other groups of this process are given up. */
  readonly gid: number;
  /** Home folder of the user, where the CLI has its settings, login and transcripts. */
  readonly home: string;
}

/**
 * Makes a spawner that runs the CLI as another user of this machine. Only root may; not on Windows.
 *
 * The child has the variables that it would have otherwise, but for those that name the home of this user: `HOME`, `USER`, `LOGNAME`,
 * and a `CLAUDE_CONFIG_DIR` that was inherited. Other secrets of the environment are still there, so give it one of its own with `env`.
 *
 * @example
 * startClaude(buildLaunch({ cwd: "/srv/agent", env: { PATH: "/usr/bin:/bin" } }), {
 *   spawnClaudeCodeProcess: userSpawner({ uid: 1001, gid: 1001, home: "/home/agent" }),
 * });
 */
export function userSpawner({ uid, gid, home }: UserSpawnerOptions): SpawnClaudeCodeProcess {
  return ({ command, args, cwd, env }) => {
    const own: Record<string, string | undefined> = { ...env, HOME: home };
    for (const name of ["USER", "LOGNAME", "CLAUDE_CONFIG_DIR"]) {
      if (own[name] === process.env[name]) delete own[name];
    }
    const child = withPipes(spawn(command, args, { cwd, env: own, uid, gid, stdio: ["pipe", "pipe", "pipe"] }));
    const killAlone = child.kill.bind(child);
    // As for a child of this user: what descends from it goes, too.
    child.kill = (signal) => {
      if (signal !== "SIGKILL" || child.pid === undefined || child.exitCode !== null) return killAlone(signal);
      killTree(child.pid);
      return true;
    };
    return child;
  };
}
