import { killAllChildren } from "./exit-guard.ts";

/** Something that ends a process: a {@link ProcessTransport}. */
interface Closable {
  close(): Promise<void>;
  readonly closed: Promise<unknown>;
}

/** Every transport whose process lives. */
const live = /* @__PURE__ */ new Set<Closable>();

/** Makes a transport known to the handlers of signals, for as long as its process lives. */
export function closeWithSignals(transport: Closable): void {
  live.add(transport);
  void transport.closed.then(() => live.delete(transport));
}

/**
 * Takes over signals of the host: the first one closes every session of this process, in the way of `ProcessTransport.close`, and is
 * then raised again, so that the host ends by it as it would have without. A second one does not wait: what lives is killed.
 *
 * Without it a host that a signal ends runs no handler, and its CLIs go on until their turn is over. Where other listeners for the signal
 * are there when it comes, they decide when the host ends: all is closed, and the signal is not raised again.
 *
 * @param signals Default: `SIGTERM`, `SIGINT` and `SIGHUP`.
 * @returns The function that takes it back. Idempotent.
 * @example
 * const release = closeOnSignals();
 */
export function closeOnSignals(signals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP"]): () => void {
  const wanted = [...new Set(signals)];
  let isClosing = false;
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    // Asked before any of them is called: one that wants to be called once is still among them.
    const isAlone = process.listenerCount(signal) === 1;
    if (isClosing) {
      killAllChildren();
    } else {
      isClosing = true;
      await Promise.all([...live].map((transport) => transport.close()));
      isClosing = false;
    }
    if (!isAlone) return;
    release();
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    for (const signal of wanted) process.off(signal, onSignal);
  };
  // In front of the others, to see them all.
  for (const signal of wanted) process.prependListener(signal, onSignal);
  return release;
}
