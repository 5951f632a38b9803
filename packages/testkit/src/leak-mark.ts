const NAME = "REINS_LEAK_MARK";

/**
 * The variable by which {@link startLeakCheck} knows a process as a descendant of this one when its parent is gone.
 *
 * A process whose parent dies belongs to init from then on, and its own environment is all that still tells where it came from.
 */
export function leakMark(): Record<string, string> {
  return { [NAME]: String(process.pid) };
}

/** Tells whether an environment, as `/proc/PID/environ` shows it, carries the mark of this process. */
export function hasLeakMark(environ: string): boolean {
  return environ.split("\0").includes(`${NAME}=${process.pid}`);
}
