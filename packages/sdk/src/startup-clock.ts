import { type Frame, ReinsError } from "@reins/streamjson";
import type { TransportObserver } from "./observed-transport.ts";

/** The CLI did not get ready in the time that `startup()` or `prewarm()` gives it. It was stopped. */
export class InitializeTimeoutError extends ReinsError {
  readonly code = "REINS_INITIALIZE_TIMEOUT" as const;
  /** How much time was counted, in milliseconds. */
  readonly timeoutMs: number;
  /** The last checkpoint of its start that the CLI reported. The names are the CLI's own; `undefined` when it reported none. */
  readonly startupMark: string | undefined;
  /** How long ago that was, in milliseconds. */
  readonly startupMarkAgeMs: number | undefined;

  constructor(timeoutMs: number, mark: { readonly name: string; readonly ageMs: number } | undefined) {
    const where = mark
      ? `Its last checkpoint was ${mark.name}, ${mark.ageMs} ms ago.`
      : "It reported no checkpoint: does it run claude with --output-format stream-json?";
    // The beginning is as published programs know it.
    super(
      `Subprocess initialization did not complete within ${timeoutMs}ms. ${where} A slow start needs a longer initializeTimeoutMs.`,
    );
    this.timeoutMs = timeoutMs;
    this.startupMark = mark?.name;
    this.startupMarkAgeMs = mark?.ageMs;
  }

  override get name(): string {
    return "InitializeTimeoutError";
  }
}

/** How long a start may take. */
export interface StartupLimits {
  /** Milliseconds that count. */
  readonly timeoutMs: number;
  /** Milliseconds of running SessionStart and Setup hooks that do not count, in all. */
  readonly hooksMs: number;
}

/** Watches the start of a CLI: its checkpoints, its hooks, and the time that it takes. */
export class StartupClock implements TransportObserver {
  readonly #limits: StartupLimits;
  readonly #onExpired: (error: InitializeTimeoutError) => void;
  readonly #runningHooks = new Set<unknown>();
  #leftMs: number;
  #hooksLeftMs: number;
  #since = performance.now();
  #isPaused = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #mark: { readonly name: string; readonly at: number } | undefined;

  /** Starts to count. */
  constructor(limits: StartupLimits, onExpired: (error: InitializeTimeoutError) => void) {
    this.#limits = limits;
    this.#onExpired = onExpired;
    this.#leftMs = limits.timeoutMs;
    this.#hooksLeftMs = limits.hooksMs;
    this.#wait();
  }

  /** A frame came. What a hook has printed so far is of no use once the start is over, and nobody reads it before. */
  onFrame(frame: Frame): boolean {
    if (this.#isStopped) return true;
    const { type, subtype } = frame;
    if (type === "keep_alive") this.#noteMark(frame.value["startup_mark"]);
    if (type !== "system") return true;
    if (subtype === "hook_progress") return frame.value["backgrounded"] === true;
    if (subtype !== "hook_started" && subtype !== "hook_response") return true;
    const { hook_event: event, hook_id: id } = frame.value;
    if (subtype === "hook_response") this.#runningHooks.delete(id);
    else if (event === "SessionStart" || event === "Setup") this.#runningHooks.add(id);
    this.#pause(this.#runningHooks.size > 0);
    return true;
  }

  /** The start is over, in whatever way. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #noteMark(name: unknown): void {
    // A name is shown in an error, so it is not trusted to be short.
    if (typeof name === "string") this.#mark = { name: name.slice(0, 64), at: performance.now() };
  }

  #pause(isPaused: boolean): void {
    if (isPaused === this.#isPaused || (isPaused && this.#hooksLeftMs <= 0)) return;
    this.#account();
    this.#isPaused = isPaused;
    this.#wait();
  }

  /** Takes the time since the last call off what it belongs to. */
  #account(): void {
    const now = performance.now();
    if (this.#isPaused) this.#hooksLeftMs -= now - this.#since;
    else this.#leftMs -= now - this.#since;
    this.#since = now;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const leftMs = this.#isPaused ? this.#hooksLeftMs : this.#leftMs;
    // Node.js takes a longer time for 1 ms.
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(leftMs, 0), 2 ** 31 - 1));
  }

  #look(): void {
    this.#account();
    if (this.#isPaused && this.#hooksLeftMs <= 0) this.#isPaused = false;
    // A timer may strike a little early.
    if (this.#isPaused || this.#leftMs > 0) {
      this.#wait();
      return;
    }
    this.#isStopped = true;
    const mark = this.#mark;
    const last = mark && { name: mark.name, ageMs: Math.round(performance.now() - mark.at) };
    this.#onExpired(new InitializeTimeoutError(this.#limits.timeoutMs, last));
  }
}
