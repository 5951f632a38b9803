import { diagnoseExit, diagnoseScript, diagnoseSpawnError, diagnoseUnknownFlag } from "./diagnose.ts";
import { LaunchError, OptionTooLongError, ProcessError } from "./errors.ts";
import { longLineUnits } from "./fit-arguments.ts";
import type { Launch } from "./launch.ts";
import { type PreparedLaunch, prepareFiles } from "./private-files.ts";
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
  let prepared: PreparedLaunch;
  try {
    prepared = prepareFiles(launch);
  } catch (error) {
    const options = launch.files?.map((file) => file.option).join(", ");
    const message = `The private file for ${options} could not be written: ${String(error)}. Look at the temporary folder.`;
    return { error: new LaunchError("other", launch.command, message, error) };
  }
  try {
    const running = new RunningProcess(spawnLocally(prepared.launch), true, tail);
    void running.ended.then(() => prepared.release());
    return running;
  } catch (error) {
    prepared.release();
    return { error: diagnoseSpawnError(launch, error) };
  }
}

/** Has a launch started by a custom spawner. What that throws is the failure, unchanged. */
export function startBy(
  spawner: SpawnClaudeCodeProcess,
  { command, args, files = [], cwd, env }: Launch,
  tail: StderrTail,
  signal: AbortSignal,
): RunningProcess | StartFailure {
  const [file] = files;
  // The other side does not see the files of this one.
  if (file !== undefined) {
    const remedy = "With a custom spawner it cannot go into a file. Leave its delivery option out, or shorten it.";
    const size = Buffer.byteLength(file.content);
    return { error: new OptionTooLongError({ option: file.option, size, limit: longLineUnits, remedy }) };
  }
  const where = cwd === undefined ? {} : { cwd };
  try {
    return new RunningProcess(spawner({ command, args: [...args], ...where, env: { ...env }, signal }), false, tail);
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error), { cause: error }) };
  }
}

/** What is known of a process that has ended. */
export interface EndedProcess {
  readonly end: ProcessEnd;
  readonly stderrTail: string;
  readonly step: ProcessError["step"];
  /** Whether it was a child of this process. */
  readonly isLocal: boolean;
}

/** What went wrong with a process that nobody asked to end; `undefined` when nothing did. */
export function failureOf({ end, stderrTail, step, isLocal }: EndedProcess, launch: Launch): Error | undefined {
  if ("startError" in end) {
    return isLocal ? diagnoseSpawnError(launch, end.startError) : spawnerFailure(launch, end.startError);
  }
  if (end.code === 0) return undefined;
  const error = new ProcessError(end.code, end.signal, stderrTail, step);
  // Of another machine, the files here say nothing.
  return diagnoseUnknownFlag(launch, error) ?? (isLocal ? diagnoseExit(launch, error) : error);
}

function spawnerFailure({ command }: Launch, error: unknown): LaunchError {
  const message = error instanceof Error ? error.message : String(error);
  return new LaunchError("other", command, `Failed to spawn Claude Code process: ${message}.`, error);
}
