/**
 * Runs the writes to a session one after the other, in the order of the calls. Requests that are under way at once may change places: one
 * finds the script unknown or its slot moved, and is sent again behind the next.
 */
export class WriteQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs a task when those before it with the same name are done, whatever became of them. */
  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name);
    const running = before === undefined ? task() : before.then(task);
    const tail: Promise<void> = running.then(
      () => this.#leave(name, tail),
      () => this.#leave(name, tail),
    );
    this.#tails.set(name, tail);
    return running;
  }

  #leave(name: string, tail: Promise<void>): void {
    if (this.#tails.get(name) === tail) this.#tails.delete(name);
  }
}
