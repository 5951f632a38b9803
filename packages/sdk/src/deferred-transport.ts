import type { Frame, FrameValue, Transport, TransportExit } from "@reins/streamjson";

/**
 * A transport whose other side is started a little later. What is sent meanwhile waits; a start that fails is told like any other end.
 *
 * @param start Gives the transport, and runs at once.
 */
export function deferredTransport(start: () => Promise<Transport>): Transport {
  const starting = start();
  const closed: Promise<TransportExit> = starting.then(
    (transport) => transport.closed,
    (error: unknown) => ({
      code: null,
      signal: null,
      stderrTail: "",
      error: error instanceof Error ? error : new Error(String(error)),
    }),
  );
  const close = async (): Promise<void> => {
    const transport = await starting.catch(() => undefined);
    await transport?.close();
  };
  return {
    frames: framesOf(starting),
    closed,
    send: async (frame: Frame | FrameValue) => (await starting).send(frame),
    endInput: async () => (await starting).endInput(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function* framesOf(starting: Promise<Transport>): AsyncGenerator<readonly Frame[]> {
  // Why it failed is told by `closed`.
  const transport = await starting.catch(() => undefined);
  if (transport !== undefined) yield* transport.frames;
}
