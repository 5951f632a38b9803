import type { Frame, FrameValue, Transport, TransportExit } from "@reins/streamjson";

/**
 * A transport whose other side is started a little later. What is sent meanwhile waits; a start that fails is told like any other end.
 * Closed before, it waits for nothing.
 *
 * @param start Gives the transport, and runs at once. Its signal aborts when nothing is wanted any more; what it gives all the same is
 * closed.
 */
export function deferredTransport(start: (signal: AbortSignal) => Promise<Transport>): Transport {
  const closing = new AbortController();
  const { signal } = closing;
  const unwanted = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
  let started: Transport | undefined;
  const starting = start(signal).then(async (transport) => {
    if (!signal.aborted) started = transport;
    else await transport.close();
    return transport;
  });
  const exitOf = (error?: unknown): TransportExit => ({
    code: null,
    signal: null,
    stderrTail: "",
    ...(error !== undefined && { error: error instanceof Error ? error : new Error(String(error)) }),
  });
  const closed = Promise.race([
    starting.then((transport) => transport.closed, exitOf),
    // Once it runs, a close is an end like any other.
    unwanted.then(() => started?.closed ?? exitOf()),
  ]);
  const running = async (): Promise<Transport> => {
    const transport = await Promise.race([starting, unwanted]);
    if (transport === undefined) throw new Error("The transport was closed before its start.");
    return transport;
  };
  const close = async (): Promise<void> => {
    closing.abort();
    await started?.close();
  };
  return {
    frames: framesOf(running),
    closed,
    send: async (frame: Frame | FrameValue) => (await running()).send(frame),
    endInput: async () => (await running()).endInput(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function* framesOf(running: () => Promise<Transport>): AsyncGenerator<readonly Frame[]> {
  // Why it failed is told by `closed`.
  const transport = await running().catch(() => undefined);
  if (transport !== undefined) yield* transport.frames;
}
