/** Who waits for the abort of a signal, for each signal that somebody waits for. */
const groups = /* @__PURE__ */ new WeakMap<AbortSignal, AbortGroup>();

/**
 * Calls back when a signal aborts, until it is released.
 *
 * However many there are, they share one listener on the signal: a server gives one signal to all its sessions, and Node.js takes
 * more than ten listeners for a leak and prints so.
 *
 * @returns The release. Idempotent.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const group = groups.get(signal) ?? new AbortGroup(signal);
  groups.set(signal, group);
  return group.add(callback);
}

class AbortGroup {
  readonly #signal: AbortSignal;
  readonly #callbacks = new Set<() => void>();
  readonly #listener = (): void => {
    for (const callback of [...this.#callbacks]) callback();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(callback: () => void): () => void {
    if (this.#callbacks.size === 0) this.#signal.addEventListener("abort", this.#listener);
    this.#callbacks.add(callback);
    return () => {
      if (this.#callbacks.delete(callback) && this.#callbacks.size === 0) {
        this.#signal.removeEventListener("abort", this.#listener);
      }
    };
  }
}
