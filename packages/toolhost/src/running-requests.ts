import type { JsonRpcId } from "./json-rpc.ts";

/** A request that was not answered yet. */
export class RunningRequest {
  readonly id: JsonRpcId;
  readonly #whenGivenUp: (reason: unknown) => void;
  #controller: AbortController | undefined;
  #reason: DOMException | undefined;
  #isOver = false;

  /** @param whenGivenUp Told why, once. */
  constructor(id: JsonRpcId, whenGivenUp: (reason: unknown) => void) {
    this.id = id;
    this.#whenGivenUp = whenGivenUp;
  }

  /** Aborted when the request is given up. Made when it is asked for: it costs more than all else of a short call. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Whether somebody still waits for what becomes of it. */
  get isOpen(): boolean {
    return !this.#isOver && this.#reason === undefined;
  }

  /** It has its outcome. */
  end(): void {
    this.#isOver = true;
  }

  /** Aborts it, unless it is over. */
  giveUp(text: string, name: "AbortError" | "TimeoutError"): void {
    if (!this.isOpen) return;
    this.#reason = new DOMException(text, name);
    this.#whenGivenUp(this.#reason);
    this.#controller?.abort(this.#reason);
  }
}

/** What runs on behalf of a client, and can be given up: by the client, by a deadline, and with the session. */
export class RunningRequests {
  /** A set and no map: a client may give an id to two requests at once, and both have to end. */
  readonly #running = new Set<RunningRequest>();

  /**
   * Runs a request and gives what becomes of it; `undefined` when it was dropped. Given up, it ends although `run` may never settle.
   *
   * @param timeoutMs Deadline; `Infinity` for none.
   * @param run Does the work. That it rejects is handed on.
   * @param whenGivenUp Makes the outcome of the reason.
   */
  async serve<Outcome>(
    id: JsonRpcId,
    timeoutMs: number,
    run: (request: RunningRequest) => Promise<Outcome>,
    whenGivenUp: (reason: unknown) => Outcome,
  ): Promise<Outcome | undefined> {
    let settle = (_: Outcome): void => {};
    let fail = (_: unknown): void => {};
    const settled = new Promise<Outcome>((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
    const request = new RunningRequest(id, (reason) => settle(whenGivenUp(reason)));
    const timeOut = (): void => request.giveUp(`The call took longer than ${timeoutMs} ms.`, "TimeoutError");
    const timer = timeoutMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(timeOut, timeoutMs);
    this.#running.add(request);
    try {
      run(request).then(settle, fail);
      const outcome = await settled;
      return this.#running.has(request) ? outcome : undefined;
    } finally {
      clearTimeout(timer);
      this.#running.delete(request);
      request.end();
    }
  }

  /** Gives up what runs under the id. */
  cancel(id: unknown): void {
    for (const request of this.#running) {
      if (request.id === id) request.giveUp("The call was cancelled.", "AbortError");
    }
  }

  /** Aborts everything, and leaves it without an outcome. */
  drop(reason: string): void {
    const requests = [...this.#running];
    this.#running.clear();
    for (const request of requests) request.giveUp(reason, "AbortError");
  }
}
