/** Works on what was written, one after the other. */
export class WorkQueue {
  readonly #work: (text: string) => Promise<void>;
  readonly #waiting: string[] = [];
  #isBusy = false;
  #isClosed = false;
  #done: Promise<void> = Promise.resolve();

  /** @param work Must not reject. */
  constructor(work: (text: string) => Promise<void>) {
    this.#work = work;
  }

  /** What waits for what is being worked on. */
  get waiting(): readonly string[] {
    return this.#waiting;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  add(text: string): void {
    this.#waiting.push(text);
    if (!this.#isBusy) this.#done = this.#run();
  }

  /** Gives back what waits, which is forgotten here. */
  takeBack(): string[] {
    return this.#waiting.splice(0);
  }

  /** Begins nothing more. */
  close(): void {
    this.#isClosed = true;
  }

  /** Waits for the end of what is being worked on, but no longer than that. */
  async settledWithin(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#done, timeout]);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    for (let text = this.#waiting.shift(); text !== undefined && !this.#isClosed; text = this.#waiting.shift())
      await this.#work(text);
    this.#isBusy = false;
  }
}
