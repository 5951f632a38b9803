import { FrameWriter } from "@reins/streamjson";
import { drainPipe } from "./drain-pipe.ts";
import { guardUntilExit } from "./exit-guard.ts";
import { killTree } from "./process-tree.ts";
import { PulledOutput } from "./pulled-output.ts";
import type { SpawnedProcess } from "./spawned-process.ts";
import type { StderrTail } from "./stderr-tail.ts";

/** How a process ended: its exit, or the error with which it could not be started. */
export type ProcessEnd =
  | { readonly code: number | null; readonly signal: string | null }
  | { readonly startError: unknown };

/**
 * A process that was spawned: its pipes, its end, and the ways to bring that about. It listens to everything from the first moment, so
 * nothing that happens later can be missed.
 */
export class RunningProcess {
  readonly input: FrameWriter;
  readonly output: PulledOutput;
  /** Settles as soon as the end is seen; the pipes may still hold something. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: SpawnedProcess;
  readonly #isLocal: boolean;
  #hasEnded = false;

  /** @param isLocal Whether it is a child of this process, and not what a custom spawner made. */
  constructor(child: SpawnedProcess, isLocal: boolean, tail: StderrTail) {
    this.#child = child;
    this.#isLocal = isLocal;
    this.ended = this.#watch();
    this.input = new FrameWriter(child.stdin);
    this.output = new PulledOutput(child.stdout);
    if (child.stderr != null) tail.read(child.stderr);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Node.js sets a negative one, a number of the system, for a child that it could not start. */
  get exitCode(): number | null {
    const code = this.#child.exitCode;
    return code !== null && code < 0 ? null : code;
  }

  get signalCode(): string | null {
    return this.#child.signalCode ?? null;
  }

  /** Whether the end was seen. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  terminate(): void {
    this.#send("SIGTERM");
  }

  /** Kills it, and all that descends from it where that can be found. */
  kill(): void {
    if (this.#hasEnded) return;
    const { pid } = this.#child;
    if (this.#isLocal && pid !== undefined && process.platform !== "win32") killTree(pid);
    else this.#send("SIGKILL");
  }

  /** After the end: reads what is left in the pipes, within bounds, and closes them. */
  async releasePipes(): Promise<void> {
    const { stdin, stderr } = this.#child;
    stdin.destroy?.();
    // The kernel keeps less than 1 MiB of what a dead process wrote. What a custom spawner keeps is not known.
    const maxBytes = this.#isLocal ? 2 * 1024 * 1024 : Number.POSITIVE_INFINITY;
    await Promise.all([this.output.finish(maxBytes), stderr == null ? undefined : drainPipe(stderr, maxBytes)]);
  }

  #send(signal: "SIGTERM" | "SIGKILL"): void {
    try {
      this.#child.kill(signal);
    } catch {
      // A custom spawner's. The next step of the end has to come all the same, and none of them has a caller to tell.
    }
  }

  #watch(): Promise<ProcessEnd> {
    const child = this.#child;
    const release = guardUntilExit(() => this.kill());
    return new Promise((resolve) => {
      const end = (how: ProcessEnd): void => {
        this.#hasEnded = true;
        release();
        resolve(how);
      };
      child.on("exit", (code, signal) => end({ code, signal }));
      child.on("error", (error) => {
        // Of a process that has started it is a signal that could not be sent.
        if (child.pid === undefined) end({ startError: error });
      });
      if (child.exitCode !== null || child.signalCode != null) end({ code: child.exitCode, signal: this.signalCode });
    });
  }
}
