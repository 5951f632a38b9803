import { ControlTimeoutError } from "./errors.ts";
import { startTimer } from "./timer.ts";

/** How a request is given up before it is answered. */
export interface PendingOptions {
  /** Milliseconds until the request is given up; `undefined` for never. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What settles a request: an answer, or an error. */
export type Outcome = { readonly response: Readonly<Record<string, unknown>> } | { readonly error: unknown };

interface Pending {
  readonly resolve: (response: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: unknown) => void;
  readonly subtype: string;
  readonly release: () => void;
}

/** The requests that were sent and not answered. Each settles exactly once, whatever comes first. */
export class PendingRequests {
  readonly #pending = new Map<string, Pending>();
  /** The requests that a signal gives up, and its one listener: Node.js takes more than ten on one signal for a leak, and prints so. */
  readonly #bySignal = new Map<AbortSignal, { readonly ids: Set<string>; readonly onAbort: () => void }>();
  readonly #onGivenUp: (id: string) => void;

  /** @param onGivenUp Called when a deadline or a signal settled a request, so that the other side can be told. */
  constructor(onGivenUp: (id: string) => void) {
    this.#onGivenUp = onGivenUp;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** The subtype of a request that waits, or `undefined` when none with this id does. */
  subtypeOf(id: string): string | undefined {
    return this.#pending.get(id)?.subtype;
  }

  /** Whether a request of this subtype waits. */
  hasSubtype(subtype: string): boolean {
    for (const pending of this.#pending.values()) if (pending.subtype === subtype) return true;
    return false;
  }

  /** Registers a request, and gives the promise of its answer. */
  open(id: string, subtype: string, options: PendingOptions): Promise<Readonly<Record<string, unknown>>> {
    return new Promise((resolve, reject) => {
      const { timeoutMs = Infinity, signal } = options;
      const stopTimer = startTimer(timeoutMs, () => this.#giveUp(id, new ControlTimeoutError(subtype, timeoutMs)));
      const stopListening = signal === undefined ? undefined : this.#listen(signal, id);
      const release = (): void => {
        stopTimer();
        stopListening?.();
      };
      this.#pending.set(id, { resolve, reject, subtype, release });
    });
  }

  /** Settles a request. False when none with this id waits: late, twice, or never asked. */
  settle(id: string, outcome: Outcome): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    pending.release();
    if ("response" in outcome) pending.resolve(outcome.response);
    else pending.reject(outcome.error);
    return true;
  }

  /** Rejects everything that waits. */
  settleAll(error: unknown): void {
    for (const id of [...this.#pending.keys()]) this.settle(id, { error });
  }

  #giveUp(id: string, error: unknown): void {
    if (this.settle(id, { error })) this.#onGivenUp(id);
  }

  #listen(signal: AbortSignal, id: string): () => void {
    let group = this.#bySignal.get(signal);
    if (group === undefined) {
      const ids = new Set<string>();
      const onAbort = (): void => {
        for (const each of [...ids]) this.#giveUp(each, signal.reason);
      };
      group = { ids, onAbort };
      this.#bySignal.set(signal, group);
      signal.addEventListener("abort", onAbort);
    }
    const { ids, onAbort } = group;
    ids.add(id);
    return () => {
      if (!ids.delete(id) || ids.size > 0) return;
      this.#bySignal.delete(signal);
      signal.removeEventListener("abort", onAbort);
    };
  }
}
