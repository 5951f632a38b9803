import { diagnoseExit, diagnoseScript, diagnoseSpawnError } from "./diagnose.ts";
import { LaunchError, ProcessError } from "./errors.ts";
import type { Launch } from "./launch.ts";
import { type ProcessEnd, RunningProcess } from "./running-process.ts";
import { type SpawnClaudeCodeProcess, spawnLocally } from "./spawned-process.ts";
import type { StderrTail } from "./stderr-tail.ts";

/** A start that failed at once. */
export interface StartFailure {
  readonly error: Error;
}

/** Starts a launch as a child of this process. */
export function startLocally(launch: Launch, tail: StderrTail): RunningProcess | StartFailure {
  const problem = diagnoseScript(launch);
  if (problem !== undefined) return { error: problem };
  try {
    return new RunningProcess(spawnLocally(launch), true, tail);
  } catch (error) {
    return { error: diagnoseSpawnError(launch, error) };
  }
}

/** Has a launch started by a custom spawner. What that throws is the failure, unchanged. */
export function startBy(
  spawner: SpawnClaudeCodeProcess,
  { command, args, cwd, env }: Launch,
  tail: StderrTail,
  signal: AbortSignal,
): RunningProcess | StartFailure {
  const where = cwd === undefined ? {} : { cwd };
  try {
    return new RunningProcess(spawner({ command, args: [...args], ...where, env: { ...env }, signal }), false, tail);
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error), { cause: error }) };
  }
}

/** What went wrong with a process that nobody asked to end; `undefined` when nothing did. */
export function failureOf(end: ProcessEnd, stderrTail: string, launch: Launch, isLocal: boolean): Error | undefined {
  if ("startError" in end) {
    return isLocal ? diagnoseSpawnError(launch, end.startError) : spawnerFailure(launch, end.startError);
  }
  if (end.code === 0) return undefined;
  const error = new ProcessError(end.code, end.signal, stderrTail);
  // Of another machine, the files here say nothing.
  return isLocal ? diagnoseExit(launch, error) : error;
}

function spawnerFailure({ command }: Launch, error: unknown): LaunchError {
  const message = error instanceof Error ? error.message : String(error);
  return new LaunchError("other", command, `Failed to spawn Claude Code process: ${message}.`, error);
}
