import type { Frame } from "@reins/streamjson";
import { startTimer } from "./timer.ts";

/** What the CLI says it does: `"running"` a turn, waiting for an answer of the host (`"requires_action"`), or `"idle"`. */
export type SessionState = "running" | "requires_action" | "idle" | (string & {});

/**
 * Follows what the CLI says about the run, to know when it is over.
 *
 * A run begins with a prompt and is over when a result was seen and the CLI says `idle`. A CLI that never reports its state (it
 * does with `CLAUDE_CODE_SDK_READS_SESSION_STATE=1` in its environment) ends a run with its result. As a last resort a run ends
 * when nothing of it was seen for the ceiling after a result, not counted while the CLI waits for the host.
 *
 * @see contracts/control.md; verified against CLI 2.1.328
 */
export class RunState {
  readonly #ceilingMs: number;
  readonly #onCeiling: () => void;
  readonly #hasOpenPrompts: () => boolean;
  #state: SessionState | undefined;
  #promptSeen = false;
  #resultSeen = false;
  #over = true;
  #closed = false;
  #backgroundTasks = 0;
  #isHeldBack = false;
  #stopCeiling: (() => void) | undefined;
  #waiting: (() => void)[] = [];
  #watchers = new Set<() => void>();

  /**
   * @param ceilingMs Milliseconds after the last result at which a run counts as over all the same; 0 for never.
   * @param hasOpenPrompts Whether the CLI has a prompt that it did not deal with yet.
   */
  constructor(ceilingMs: number, onCeiling: () => void, hasOpenPrompts: () => boolean = () => false) {
    this.#ceilingMs = ceilingMs;
    this.#onCeiling = onCeiling;
    this.#hasOpenPrompts = hasOpenPrompts;
  }

  /** The last state that the CLI reported, `undefined` if it never did. */
  get state(): SessionState | undefined {
    return this.#state;
  }

  /** Whether a prompt was sent that no result followed. */
  get lacksResult(): boolean {
    return this.#promptSeen && !this.#resultSeen;
  }

  /** Whether nothing is going on: no run, no background task that could start another, and nothing written that was not read. */
  get isQuiet(): boolean {
    const isIdle = this.#state !== "running" && this.#state !== "requires_action";
    return this.#over && this.#backgroundTasks === 0 && isIdle && !this.#isHeldBack;
  }

  /** Whether the CLI may have said more than was observed, because the reader waits for room. */
  get isHeldBack(): boolean {
    return this.#isHeldBack;
  }

  /** Notes that the reader waits for room, or goes on. */
  holdBack(isHeldBack: boolean): void {
    this.#isHeldBack = isHeldBack;
    this.#changed();
  }

  /** Notes that a prompt was sent: a new run. */
  promptSent(): void {
    this.#promptSeen = true;
    this.#resultSeen = false;
    this.#over = false;
    this.#clearCeiling();
    this.#changed();
  }

  /** Notes a frame of the CLI. */
  observe(frame: Frame): void {
    const { type, subtype } = frame;
    if (type === "result") this.#result();
    else if (type === "system" && subtype === "session_state_changed") this.#stateChanged(frame.value["state"]);
    else if (type === "command_lifecycle") this.#overIfIdle();
    else if (type === "system" && subtype === "background_tasks_changed") this.#tasksChanged(frame.value["tasks"]);
    else if (this.#stopCeiling !== undefined && (type === "assistant" || type === "stream_event")) {
      // The main conversation goes on, so the result was not the last of this run.
      if (frame.value["parent_tool_use_id"] == null) this.#clearCeiling();
    }
  }

  /** Settles when the current run is over, at once when there is none, and when the session ends. */
  whenOver(): Promise<void> {
    if (this.#over || this.#closed) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Settles when work in the background is over as well and has started nothing more; at once when there is none, and when the
   * session ends.
   *
   * @param ceilingMs Milliseconds after which it settles all the same; 0 for at once.
   */
  async whenQuiet(ceilingMs: number, onCeiling: () => void): Promise<void> {
    if (ceilingMs === 0 || this.#backgroundTasks === 0 || this.#closed) return;
    let stopGrace = (): void => {};
    let stopCeiling = (): void => {};
    let stopWatching = (): void => {};
    await new Promise<void>((resolve) => {
      stopCeiling = startTimer(ceilingMs, () => {
        onCeiling();
        resolve();
      });
      const check = (): void => {
        stopGrace();
        stopGrace = this.isQuiet ? startTimer(followUpGraceMs, resolve) : () => {};
      };
      stopWatching = this.watch(check);
      this.#waiting.push(resolve);
      check();
    });
    stopGrace();
    stopCeiling();
    stopWatching();
  }

  /** Calls back at each change of {@link RunState.isQuiet} and what it depends on. Returns the function that stops it. */
  watch(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => this.#watchers.delete(callback);
  }

  /** Ends everything that waits, because the session has ended. */
  close(): void {
    this.#closed = true;
    this.#clearCeiling();
    this.#settle();
    this.#watchers.clear();
  }

  #result(): void {
    this.#resultSeen = true;
    if (!this.#overIfIdle()) this.#startCeiling();
  }

  /** A prompt that was written just before the end of another run begins one of its own: the CLI is idle for a moment only. */
  #overIfIdle(): boolean {
    const isIdle = this.#state === undefined || this.#state === "idle";
    if (!isIdle || !this.#resultSeen || this.#over || this.#hasOpenPrompts()) return false;
    this.#runOver();
    return true;
  }

  #stateChanged(state: unknown): void {
    if (typeof state !== "string") return;
    this.#state = state;
    if (state === "requires_action") this.#clearCeiling();
    else if (state === "idle") this.#overIfIdle();
    else if (state === "running" && this.#resultSeen && !this.#over) this.#startCeiling();
    this.#changed();
  }

  #tasksChanged(tasks: unknown): void {
    this.#backgroundTasks = Array.isArray(tasks) ? tasks.length : 0;
    this.#changed();
  }

  #runOver(): void {
    this.#over = true;
    this.#clearCeiling();
    this.#settle();
    this.#changed();
  }

  #startCeiling(): void {
    this.#clearCeiling();
    if (this.#ceilingMs === 0 || this.#closed) return;
    this.#stopCeiling = startTimer(this.#ceilingMs, () => {
      this.#onCeiling();
      this.#runOver();
    });
  }

  #clearCeiling(): void {
    this.#stopCeiling?.();
    this.#stopCeiling = undefined;
  }

  #settle(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #changed(): void {
    for (const callback of [...this.#watchers]) callback();
  }
}

/** A task that ended starts a turn a moment after the set of tasks is empty: 41 ms, as measured on CLI 2.1.328. */
const followUpGraceMs = 1_000;
