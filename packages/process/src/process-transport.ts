import {
  AbortError,
  decodeBatches,
  type Frame,
  type FrameValue,
  FrameWriteError,
  type Transport,
  type TransportExit,
} from "@reins/streamjson";
import { onAbort } from "./abort-listeners.ts";
import type { Launch } from "./launch.ts";
import { RunningProcess } from "./running-process.ts";
import { closeWithSignals } from "./signal-handlers.ts";
import type { SpawnClaudeCodeProcess } from "./spawned-process.ts";
import { failureOf, type StartFailure, startBy, startLocally } from "./start-process.ts";
import { StderrTail } from "./stderr-tail.ts";
import { endProcess, settlesWithin } from "./teardown.ts";

/** Options of {@link startClaude}. */
export interface StartOptions {
  /** Ends the process when it aborts, as {@link ProcessTransport.close} does. Aborted before the start, nothing is started. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the standard error of the process, in chunks as they come. What it throws is ignored. */
  readonly stderr?: ((text: string) => void) | undefined;
  /** Called with each line of the standard error, without its end; not with blank ones. What it throws is ignored. */
  readonly onStderrLine?: ((line: string) => void) | undefined;
  /** How much of the end of the standard error is kept for errors, in bytes. Default 16,384. */
  readonly stderrTailBytes?: number | undefined;
  /** Milliseconds from the end of the input to `SIGTERM`. Default 2,000. An idle CLI needs about 50. */
  readonly endGraceMs?: number | undefined;
  /** Milliseconds from `SIGTERM` to `SIGKILL`. Default 5,000: enough for the CLI to write its transcript and to stop what it runs. */
  readonly killGraceMs?: number | undefined;
  /** Longest line that is accepted, in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** Runs the process in a way of one's own. Default: as a child of this process. */
  readonly spawnClaudeCodeProcess?: SpawnClaudeCodeProcess | undefined;
}

/**
 * Starts the CLI.
 *
 * Returns at once and does not throw: why a start failed is the `error` of {@link ProcessTransport.closed}; the frames end
 * then, and sending rejects. Whoever starts it closes it, or reads its frames to their end.
 *
 * @example
 * await using claude = startClaude(buildLaunch({ model: "haiku" }));
 * await claude.send({ type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null });
 * for await (const batch of claude.frames) for (const frame of batch) console.log(frame.type);
 */
export function startClaude(launch: Launch, options: StartOptions = {}): ProcessTransport {
  return new ProcessTransport(launch, options);
}

/**
 * A CLI that runs as a process. See {@link startClaude}, and {@link Transport} for what each member promises.
 *
 * Its end is one path, whatever begins it (`close`, leaving the loop over `frames`, an abort): end of input, a grace,
 * `SIGTERM`, a grace, `SIGKILL` to it and its descendants. What it still writes on the way is thrown away.
 *
 * The `error` of its end is
 * - a {@link CliNotFoundError} or a {@link LaunchError} when it could not be started,
 * - a {@link ProcessError} when it exited with a code other than 0, or a signal killed it,
 * - an {@link AbortError} when the signal was aborted,
 * - what a custom spawner threw, unchanged,
 * - none when it was closed.
 */
export class ProcessTransport implements Transport {
  readonly frames: AsyncIterable<readonly Frame[]>;
  readonly closed: Promise<TransportExit>;
  readonly #launch: Launch;
  readonly #options: StartOptions;
  readonly #tail: StderrTail;
  readonly #process: RunningProcess | undefined;
  /** Tells a custom spawner that an abort is past its graceful part. */
  readonly #forwardedAbort = new AbortController();
  #inputEnded = false;
  /** What began the end of the process, where it was not the process itself. */
  #endedBy: "close" | "abort" | undefined;
  #exit: TransportExit | undefined;

  /** @internal Use {@link startClaude}. */
  constructor(launch: Launch, options: StartOptions) {
    this.#launch = launch;
    this.#options = options;
    this.#tail = new StderrTail(options.stderrTailBytes ?? 16_384, {
      text: options.stderr,
      line: options.onStderrLine,
    });
    const started = this.#start();
    if (started instanceof RunningProcess) {
      this.#process = started;
      this.closed = this.#follow(started);
      closeWithSignals(this);
    } else {
      this.closed = Promise.resolve(this.#exited({ code: null, signal: null, stderrTail: "", error: started.error }));
    }
    const { maxLineBytes } = options;
    this.frames = this.#read(
      decodeBatches(this.#process?.output ?? noOutput(), {
        onMalformed: "deliver",
        ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
      }),
    );
  }

  /** How it ended; the same promise as {@link ProcessTransport.closed}. */
  get exited(): Promise<TransportExit> {
    return this.closed;
  }

  /** Process id, `undefined` when it was not started. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Exit code; `null` while it runs, when a signal killed it, and when it was not started. */
  get exitCode(): number | null {
    return this.#process?.exitCode ?? null;
  }

  /** The signal that killed it, or `null`. */
  get signalCode(): string | null {
    return this.#process?.signalCode ?? null;
  }

  /**
   * Writes one frame to its input.
   *
   * @throws a FrameEncodeError when the value is no frame; nothing was written.
   * @throws a FrameWriteError when it does not read any more. `cause` is the error of its end, where it has ended.
   */
  async send(frame: Frame | FrameValue): Promise<void> {
    if (this.#process === undefined) throw new FrameWriteError("the CLI was not started", this.#exit?.error);
    const wasEnded = this.#inputEnded;
    try {
      await this.#process.input.write(frame);
    } catch (error) {
      if (!(error instanceof FrameWriteError) || wasEnded) throw error;
      throw await this.#writeFailure(error);
    }
  }

  async endInput(): Promise<void> {
    this.#inputEnded = true;
    await this.#process?.input.end();
  }

  /** Ends it and settles when its exit was seen: after `endGraceMs` and `killGraceMs` at the latest, and some more milliseconds. */
  async close(): Promise<void> {
    this.#end("close");
    await this.closed;
  }

  /** The same as {@link ProcessTransport.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #start(): RunningProcess | StartFailure {
    const { signal, spawnClaudeCodeProcess: spawner } = this.#options;
    if (signal?.aborted) return { error: new AbortError(signal.reason) };
    if (spawner == null) return startLocally(this.#launch, this.#tail);
    return startBy(spawner, this.#launch, this.#tail, this.#forwardedAbort.signal);
  }

  get #isLocal(): boolean {
    return this.#options.spawnClaudeCodeProcess == null;
  }

  async #follow(process: RunningProcess): Promise<TransportExit> {
    const { signal } = this.#options;
    const release = signal == null ? undefined : onAbort(signal, () => this.#end("abort"));
    const end = await process.ended;
    release?.();
    // Closed after this, it has still ended by itself.
    const endedBy = this.#endedBy;
    await process.releasePipes();
    const stderrTail = this.#tail.text;
    const step = process.output.hasBegun ? "session" : "start";
    const ended = { end, stderrTail, step, isLocal: this.#isLocal } as const;
    const error = endedBy === undefined ? failureOf(ended, this.#launch) : undefined;
    const abort = endedBy === "abort" ? new AbortError(signal?.reason) : undefined;
    const { code, signal: killedBy } = "code" in end ? end : { code: null, signal: null };
    const failure = error ?? abort;
    return this.#exited({ code, signal: killedBy, stderrTail, ...(failure === undefined ? {} : { error: failure }) });
  }

  #exited(exit: TransportExit): TransportExit {
    this.#exit = exit;
    return exit;
  }

  /** The pipe breaks a moment before the exit is seen, which is the reason that helps. */
  async #writeFailure(error: FrameWriteError): Promise<FrameWriteError> {
    await settlesWithin(this.closed, 1000);
    if (this.#exit === undefined) return error;
    const { code, signal } = this.#exit;
    const how = signal === null ? `exit code ${code}` : signal;
    // Published programs look for "terminated process".
    return new FrameWriteError(`a terminated process (${how}) takes no input`, this.#exit.error ?? error);
  }

  #end(by: "close" | "abort"): void {
    const process = this.#process;
    if (process === undefined || this.#endedBy !== undefined) return;
    this.#endedBy = by;
    this.#inputEnded = true;
    process.output.discard();
    if (!process.hasEnded) void this.#tearDown(process);
  }

  async #tearDown(running: RunningProcess): Promise<void> {
    const { endGraceMs = 2000, killGraceMs = 5000 } = this.#options;
    const forwardAbort = (): void => {
      if (this.#endedBy === "abort") this.#forwardedAbort.abort(this.#options.signal?.reason);
    };
    await endProcess(
      {
        endInput: () => void running.input.end(),
        terminate: () => {
          running.terminate();
          forwardAbort();
        },
        kill: () => {
          running.kill();
          forwardAbort();
        },
      },
      running.ended,
      { endGraceMs, killGraceMs },
      process.platform,
    );
  }

  /** Not a generator: leaving the loop has to work also while the next batch is waited for. */
  #read(batches: AsyncIterable<readonly Frame[]>): AsyncIterable<readonly Frame[]> {
    return {
      [Symbol.asyncIterator]: () => {
        const source = batches[Symbol.asyncIterator]();
        return {
          next: async () => {
            const result = await source.next();
            // The half line that is left when it is closed is nobody's business.
            return this.#endedBy === undefined ? result : { done: true, value: undefined };
          },
          return: async () => {
            await this.close();
            return { done: true, value: undefined };
          },
        };
      },
    };
  }
}

async function* noOutput(): AsyncGenerator<Uint8Array, undefined> {}
