import type { Frame, FrameValue, Transport } from "@reins/streamjson";

/** Sees what goes through a transport. Must not throw. */
export interface TransportObserver {
  /** The host asks for frames, or has stopped to. Between two batches it may be held up by a slow reader of messages. */
  readonly onAsking?: (isAsking: boolean) => void;
  /** A frame came; `false` keeps it from the host. Malformed ones are not shown. */
  readonly onFrame?: (frame: Frame) => boolean | undefined;
  /** A frame is sent. */
  readonly onSend?: (frame: Frame | FrameValue) => void;
}

/** The same transport, watched. */
export function observedTransport(transport: Transport, observer: TransportObserver): Transport {
  return {
    frames: observedFrames(transport.frames, observer),
    closed: transport.closed,
    send: (frame) => {
      observer.onSend?.(frame);
      return transport.send(frame);
    },
    endInput: () => transport.endInput(),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

function observedFrames(
  frames: AsyncIterable<readonly Frame[]>,
  observer: TransportObserver,
): AsyncIterable<readonly Frame[]> {
  const isWanted = (frame: Frame): boolean => frame.error !== undefined || observer.onFrame?.(frame) !== false;
  return {
    [Symbol.asyncIterator]: () => {
      const source = frames[Symbol.asyncIterator]();
      return {
        next: async () => {
          observer.onAsking?.(true);
          try {
            const result = await source.next();
            return result.done ? result : { done: false, value: result.value.filter(isWanted) };
          } finally {
            observer.onAsking?.(false);
          }
        },
        return: async () => (await source.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
