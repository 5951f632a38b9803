import { type ChunkSource, decodeBatches } from "./decode-frames.ts";
import { FrameWriteError, toError } from "./errors.ts";
import type { Transport, TransportExit } from "./transport.ts";
import { type FrameSink, FrameWriter, streamClosed } from "./writer.ts";

/** What {@link createStreamTransport} joins to a transport. */
export interface StreamTransportOptions {
  /** What the other side writes. */
  readonly readable: ChunkSource;
  /** What the other side reads. */
  readonly writable: FrameSink;
  /**
   * Ends the other side; called once, by the first `close()`. Must make `readable` end and `exit` settle. That it fails is not told to
   * anybody: what counts is how the other side ends.
   */
  readonly close: () => void | Promise<void>;
  /**
   * How the other side ended. A rejection becomes the `error` of the exit. Default: nothing known, as soon as `readable` has ended,
   * its reader has gone, or `close` has returned.
   */
  readonly exit?: Promise<Partial<TransportExit>>;
  /** Longest line accepted, in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number;
}

/**
 * Makes a {@link Transport} of a stream to read and a stream to write: a socket, the pipes of `docker exec` or `ssh`, a pair of web streams.
 *
 * @example
 * const socket = connect(port, host);
 * const exit = once(socket, "close").then(() => ({}));
 * const transport = createStreamTransport({ readable: socket, writable: socket, exit, close: () => void socket.destroy() });
 */
export function createStreamTransport(options: StreamTransportOptions): Transport {
  const writer = new FrameWriter(options.writable);
  let closing: Promise<void> | undefined;
  let readError: Error | undefined;
  // Set at once, as the executor of a promise is called by its constructor.
  let endOutput!: () => void;
  const outputEnd = new Promise<Partial<TransportExit>>((resolve) => {
    endOutput = () => resolve({});
  });

  const toExit = ({ error = readError, ...known }: Partial<TransportExit>): TransportExit => ({
    code: null,
    signal: null,
    stderrTail: "",
    ...known,
    ...(closing === undefined && error && { error }),
  });
  const closed = (options.exit ?? outputEnd).then(toExit, (error: unknown) => toExit({ error: toError(error) }));

  const closeOnce = async (): Promise<void> => {
    try {
      await options.close();
    } catch {
      // See StreamTransportOptions.close.
    }
    endOutput();
    await closed;
  };
  const close = (): Promise<void> => {
    closing ??= closeOnce();
    return closing;
  };

  const batches = decodeBatches(options.readable, { ...options, onMalformed: "deliver" });
  const end = (): IteratorReturnResult<undefined> => {
    endOutput();
    return { done: true, value: undefined };
  };
  // A source that fails ends the frames; `closed` tells why.
  const fail = (error: unknown): IteratorReturnResult<undefined> => {
    readError = toError(error);
    return end();
  };

  return {
    frames: {
      [Symbol.asyncIterator]: () => {
        const source = batches[Symbol.asyncIterator]();
        return {
          next: () => source.next().then((result) => (result.done ? end() : result), fail),
          return: () => Promise.resolve(source.return?.()).then(end, fail),
        };
      },
    },
    closed,
    send: async (frame) => {
      if (closing !== undefined) throw new FrameWriteError(streamClosed);
      await writer.write(frame);
    },
    endInput: () => writer.end(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
