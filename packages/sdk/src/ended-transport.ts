import { type Frame, FrameQueue, type FrameValue, type Transport, type TransportExit } from "@reins/streamjson";

/** A transport whose other side never came to be, so that a failed start is told in the same way as any other end. */
export function endedTransport(error: Error): Transport {
  const frames = new FrameQueue();
  frames.end();
  const closed: Promise<TransportExit> = Promise.resolve({ code: null, signal: null, stderrTail: "", error });
  const close = async (): Promise<void> => {};
  return {
    frames,
    closed,
    send: (_frame: Frame | FrameValue) => Promise.reject(error),
    endInput: close,
    close,
    [Symbol.asyncDispose]: close,
  };
}
