import { encodeFrame, FrameDecoder, FrameQueue, type Transport, type TransportExit } from "@reins/streamjson";

interface Bus {
  /** Brings a line to the CLI. Rejects when that cannot be done any more. An empty line ends the input of the CLI. */
  publish(line: string): Promise<void>;
  /** `onEnd` is called once, when nothing of the other side is left: the CLI has ended, or the connection is lost. */
  subscribe(onData: (data: Uint8Array) => Promise<void>, onEnd: (failure?: Error) => void): void;
  /** Ends the CLI at the other end, by force if it does not end by itself. */
  stop(): Promise<void>;
}

export function busTransport(bus: Bus): Transport {
  const frames = new FrameQueue();
  const decoder = new FrameDecoder({ onMalformed: "deliver" });
  let isClosing = false;
  const closed = new Promise<TransportExit>((resolve) => {
    bus.subscribe(
      (data) => frames.push([...decoder.push(data)]),
      (failure) => {
        // A last line without its newline.
        void frames.push([...decoder.end()]);
        frames.end();
        const exit = { code: null, signal: null, stderrTail: "" };
        resolve(failure === undefined || isClosing ? exit : { ...exit, error: failure });
      },
    );
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await bus.stop().catch(() => {});
    await closed;
  };
  return {
    frames,
    closed,
    send: (frame) => bus.publish(encodeFrame(frame)),
    endInput: () => bus.publish(""),
    close,
    [Symbol.asyncDispose]: close,
  };
}
