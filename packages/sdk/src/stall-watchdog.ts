import { Frame, type FrameValue, ReinsError, type Transport } from "@reins/streamjson";
import { observedTransport } from "./observed-transport.ts";

/** A turn ran and nothing came of it for the time of `idleTimeoutMs`. The session was ended. */
export class StreamStalledError extends ReinsError {
  readonly code = "REINS_STREAM_STALLED" as const;
  /** The deadline that was in force, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** The type of the last frame that came, such as `"assistant"` or `"keep_alive"`; `undefined` when it had none. */
  readonly lastFrameType: string | undefined;
  /** How long ago that was, in milliseconds. */
  readonly lastFrameAgeMs: number;

  constructor(idleTimeoutMs: number, lastFrameType: string | undefined, lastFrameAgeMs: number) {
    super(
      `No frame came for ${Math.round(lastFrameAgeMs)} ms while a turn ran (the last one was ${lastFrameType}). Resume the session to try again, or raise idleTimeoutMs.`,
    );
    this.idleTimeoutMs = idleTimeoutMs;
    this.lastFrameType = lastFrameType;
    this.lastFrameAgeMs = lastFrameAgeMs;
  }

  override get name(): string {
    return "StreamStalledError";
  }
}

/**
 * Watches that frames keep coming while a turn runs.
 *
 * The start has a deadline of its own, so it does not count. A turn runs from a prompt, or from the state `running`, to the state `idle`; with a CLI that reports no state, to a result. Every frame is a
 * sign of life, `keep_alive` among them. What the CLI asks (a permission, a hook, a tool of this process) stops the clock until
 * it is answered or withdrawn, and so does a reader who lets messages wait until no more are read.
 *
 * @param onStall Called once, at the deadline.
 */
export function watchForStall(
  transport: Transport,
  idleTimeoutMs: number,
  onStall: (error: StreamStalledError) => void,
): Transport {
  const watchdog = new StallWatchdog(idleTimeoutMs, onStall);
  void transport.closed.then(() => watchdog.stop());
  return observedTransport(transport, {
    onAsking: (isAsking) => watchdog.asking(isAsking),
    onFrame: (frame) => watchdog.received(frame),
    onSend: (frame) => watchdog.sent(frame),
  });
}

class StallWatchdog {
  readonly #timeoutMs: number;
  readonly #onStall: (error: StreamStalledError) => void;
  /** Requests of the CLI that the host has not answered. */
  readonly #openRequests = new Set<unknown>();
  #state: unknown;
  /** Whether the initialize request was answered. */
  #isStarted = false;
  #isRunning = false;
  #isAsking = false;
  #isStopped = false;
  #lastType: string | undefined;
  #lastAt = performance.now();
  /** When the silence began that counts. */
  #since = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, onStall: (error: StreamStalledError) => void) {
    this.#timeoutMs = timeoutMs;
    this.#onStall = onStall;
  }

  asking(isAsking: boolean): void {
    this.#isAsking = isAsking;
    if (isAsking) this.#restart();
  }

  received(frame: Frame): undefined {
    const { type } = frame;
    this.#lastType = type;
    this.#lastAt = performance.now();
    if (type === "control_response") this.#isStarted = true;
    else if (type === "control_request") this.#openRequests.add(frame.value["request_id"]);
    else if (type === "control_cancel_request") this.#openRequests.delete(frame.value["request_id"]);
    else if (type === "system" && frame.subtype === "session_state_changed") {
      this.#state = frame.value["state"];
      this.#isRunning = this.#state === "running";
    } else if (type === "result" && !this.#isBusy) this.#isRunning = false;
  }

  sent(frame: Frame | FrameValue): void {
    // A prompt that asks for no turn gets a result all the same. One that waits for an answer does not make the CLI go on.
    if (frame.type === "user") this.#isRunning = this.#state !== "requires_action";
    else if (frame.type === "control_response") this.#answered(frame);
    else return;
    this.#restart();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Whether the CLI says that it is not idle. Then a result is not the end of the turn. */
  get #isBusy(): boolean {
    return this.#state === "running" || this.#state === "requires_action";
  }

  #answered(frame: Frame | FrameValue): void {
    const { response } = frame instanceof Frame ? frame.value : frame;
    if (typeof response !== "object" || response === null || !("request_id" in response)) return;
    this.#openRequests.delete(response.request_id);
    // The CLI says that it runs again a moment later, or never when it has stalled.
    if (this.#state === "requires_action") this.#isRunning = this.#openRequests.size === 0;
  }

  #restart(): void {
    this.#since = performance.now();
    if (this.#counts && this.#timer === undefined) this.#wait(this.#timeoutMs);
  }

  get #counts(): boolean {
    const isTurn = this.#isStarted && this.#isRunning && !this.#isStopped;
    return isTurn && this.#isAsking && this.#openRequests.size === 0;
  }

  /** One timer for many frames: it looks at its end how long the silence is. */
  #wait(timeMs: number): void {
    // Node.js takes a longer time for 1 ms.
    this.#timer = setTimeout(() => this.#look(), Math.min(timeMs, 2 ** 31 - 1));
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = undefined;
    if (!this.#counts) return;
    const now = performance.now();
    const leftMs = this.#timeoutMs - (now - this.#since);
    if (leftMs > 0) {
      // At least 1 ms: a timer may strike a little early.
      this.#wait(Math.max(leftMs, 1));
      return;
    }
    this.#isStopped = true;
    this.#onStall(new StreamStalledError(this.#timeoutMs, this.#lastType, now - this.#lastAt));
  }
}
