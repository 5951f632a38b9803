/** Between two frames. More often nobody sees. */
const frameMs = 33;
/** Between two steps of the spinner. */
const spinnerMs = 100;

/** Says when a frame is drawn: soon after something has changed, and again and again while something moves. */
export class FrameClock {
  readonly #draw: () => void;
  #frameTimer: NodeJS.Timeout | undefined;
  #spinnerTimer: NodeJS.Timeout | undefined;
  #lastFrameMs = 0;
  #isStopped = true;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Draws at once, and from here on when something changes. */
  start(): void {
    this.#isStopped = false;
    this.#drawNow();
  }

  /** Something has changed. */
  readonly changed = (): void => {
    if (this.#isStopped) return;
    // A frame that took long is not followed at once by another one: keys come first.
    this.#frameTimer ??= setTimeout(() => this.#drawNow(), Math.max(frameMs, 2 * this.#lastFrameMs));
  };

  /** Something moves, or stands still again. */
  animate(isMoving: boolean): void {
    if (isMoving && !this.#isStopped) this.#spinnerTimer ??= setInterval(this.changed, spinnerMs);
    else this.#stopSpinner();
  }

  /** Draws no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#frameTimer);
    this.#frameTimer = undefined;
    this.#stopSpinner();
  }

  #stopSpinner(): void {
    clearInterval(this.#spinnerTimer);
    this.#spinnerTimer = undefined;
  }

  #drawNow(): void {
    clearTimeout(this.#frameTimer);
    this.#frameTimer = undefined;
    const startedAt = performance.now();
    this.#draw();
    this.#lastFrameMs = performance.now() - startedAt;
  }
}
