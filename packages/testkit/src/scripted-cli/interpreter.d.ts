import type { CliEvent } from "./log.ts";
import type { CliStep } from "./script.ts";

/** What the interpreter does its steps with: pipes and signals of a process, or the end of a pair in memory. */
export interface CliIo {
  /** Settles when there is room for more; rejects when nobody reads any longer. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Settles when the text is on its way. Never rejects. */
  writeError(text: string): Promise<void>;
  endOutput(): void;
  readFile(path: string): Promise<Uint8Array>;
  pauseInput(): void;
  resumeInput(): void;
  /** Calls back with each of these signals from now on, which then have no other effect. */
  trap(signals: readonly string[], onSignal: (signal: string) => void): void;
  /** Returns the id of the grandchild, or `undefined` where there are none. */
  orphan(ms: number): number | undefined;
  record(event: CliEvent): void;
}

/** How a run ends: one of the two is `null`. */
export interface CliRunExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One run of a script. */
export declare class ScriptRun {
  constructor(steps: readonly CliStep[], io: CliIo);
  /** Does the steps. Never rejects: a script that cannot be followed gives exit code 70. */
  run(): Promise<CliRunExit>;
  /** Takes a line of input without its newline. */
  pushLine(line: string): void;
  endInput(): void;
  /** Ends the run at once, whatever step it is at. */
  stop(exit: CliRunExit): void;
}
