/**
 * What the bridge has asked the host and is waiting for, by id.
 *
 * An entry is taken out before it is settled, so that each settles once.
 */
export class Questions<Answer> {
  readonly #prefix: string;
  readonly #waiting = new Map<
    string,
    { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }
  >();
  #last = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param ask Puts the question, under the id. Must not reject.
   * @param cancel Says that nobody wants the answer any more. Must not reject.
   * @throws The reason of the signal.
   */
  async ask(
    signal: AbortSignal,
    ask: (id: string) => Promise<void>,
    cancel: (id: string) => Promise<void>,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const id = `${this.#prefix}-${++this.#last}`;
    const answer = new Promise<Answer>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const onAbort = (): void => {
      const waiting = this.#take(id);
      if (waiting === undefined) return;
      waiting.reject(toError(signal.reason));
      void cancel(id);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      // The answer may come before the write is known to be done.
      void ask(id);
      return await answer;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** @returns Whether somebody was waiting for it. */
  answer(id: string, answer: Answer): boolean {
    const waiting = this.#take(id);
    waiting?.resolve(answer);
    return waiting !== undefined;
  }

  /** Gives up a question, with a reason. @returns Whether somebody was waiting for it. */
  fail(id: string, reason: string): boolean {
    const waiting = this.#take(id);
    waiting?.reject(new Error(reason));
    return waiting !== undefined;
  }

  #take(
    id: string,
  ): { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
