import { spawn } from "node:child_process";
import type { AgentOptions } from "@reins/runtime";

/**
 * Starts Claude Code in a process group of its own. A terminal sends Ctrl-C to all processes of the group in front, and Claude Code would end
 * its session at it, before this program can interrupt the turn or close the session in order. When this program is gone, the end of
 * its input ends it.
 */
export const spawnApart: NonNullable<AgentOptions["spawnClaudeCodeProcess"]> = ({ command, args, cwd, env }) =>
  spawn(command, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    detached: process.platform !== "win32",
  });
