import { setTimeout as delay } from "node:timers/promises";
import {
  decodeFrame,
  encodeFrame,
  FrameQueue,
  FrameWriteError,
  type Transport,
  type TransportExit,
} from "@reins/streamjson";
import { WebSocket } from "ws";

/** How long a remote may take to end the CLI: it kills it after 7 s. */
const forceMs = 10_000;

export interface ReconnectingTransportOptions {
  /** Told when the connection was lost. The transport connects again by itself. */
  readonly onLost?: () => void;
  /** Told when it is back. No frame of the CLI was missed; what this side sent last may be lost. */
  readonly onReconnect?: () => void;
  /** How long it tries to connect, in milliseconds. Default 10,000. */
  readonly giveUpMs?: number;
}

/**
 * Speaks to the CLI of `remote.ts` over one WebSocket after the other: the session lives on while there is none.
 *
 * A message of the remote is a frame. It keeps the last ones, and goes on behind those that we say we have. Our messages are frames, or the
 * words `end` (of the input) and `stop`. It closes with 1000 and the exit code or the signal when the CLI has exited, and with 1008 to refuse us.
 */
export function reconnectingTransport(url: string, options: ReconnectingTransportOptions = {}): Transport {
  const { onLost, onReconnect, giveUpMs = 10_000 } = options;
  const address = new URL(url);
  const frames = new FrameQueue();
  const force = new AbortController();
  let isClosing = false;
  let socket: WebSocket;
  let received = 0;
  // The open socket, as soon as there is one. Rejects when there will be none.
  let opened = deferred<WebSocket>();

  async function run(): Promise<TransportExit> {
    let lostAt: number | undefined = Date.now();
    let connections = 0;
    while (!force.signal.aborted) {
      address.searchParams.set("from", String(received));
      socket = new WebSocket(address);
      // It is followed by "close".
      socket.on("error", () => {});
      socket.on("message", (data) => {
        received++;
        void takeIn(data.toString());
      });
      socket.on("open", () => {
        lostAt = undefined;
        opened.resolve(socket);
        if (connections++ > 0 && !isClosing) onReconnect?.();
      });
      const { code, reason } = await closeOf(socket);
      if (code === 1000) return exitOf(reason);
      if (code === 1008) return lost(`The remote refused the connection: ${reason}`);
      if (lostAt === undefined) {
        lostAt = Date.now();
        opened = deferred();
        if (!isClosing) onLost?.();
      }
      if (Date.now() - lostAt > giveUpMs) return lost(`The remote could not be reached for ${giveUpMs} ms.`);
      await delay(100, undefined, { signal: force.signal }).catch(() => {});
    }
    return lost(`The remote did not end the CLI within ${forceMs} ms.`);
  }

  /** Reads on when the consumer has taken the frame: its pace is that of the socket. */
  async function takeIn(line: string): Promise<void> {
    const source = socket;
    source.pause();
    await frames.push([decodeFrame(line)]);
    source.resume();
  }

  function exitOf(reason: string): TransportExit {
    const exit = /^\d+$/.test(reason) ? { code: Number(reason), signal: null } : { code: null, signal: reason };
    const error = exit.code === 0 ? undefined : new Error(`The CLI ended with ${exit.signal ?? `code ${exit.code}`}.`);
    return { ...exit, stderrTail: "", ...(error && !isClosing && { error }) };
  }

  function lost(message: string): TransportExit {
    return { code: null, signal: null, stderrTail: "", ...(!isClosing && { error: new Error(message) }) };
  }

  const closed = run().then((exit) => {
    frames.end();
    const error = new FrameWriteError("the session has ended", exit.error);
    opened.reject(error);
    opened = deferred();
    opened.reject(error);
    return exit;
  });

  async function write(message: string): Promise<void> {
    for (;;) {
      const target = await opened.promise;
      const error = await new Promise<Error | undefined>((resolve) => target.send(message, resolve));
      if (!error) return;
      // The next connection takes it.
      if (target.readyState !== WebSocket.CLOSED) await closeOf(target);
    }
  }
  let last = Promise.resolve();
  /** One after the other, so that they stay in order when the connection is lost among them. */
  function writeInOrder(message: string): Promise<void> {
    const written = last.then(() => write(message));
    last = written.catch(() => {});
    return written;
  }

  async function close(): Promise<void> {
    isClosing = true;
    frames.end();
    writeInOrder("stop").catch(() => {});
    const timer = setTimeout(() => {
      force.abort();
      socket.terminate();
    }, forceMs);
    await closed;
    clearTimeout(timer);
  }

  return {
    frames,
    closed,
    send: async (frame) => writeInOrder(encodeFrame(frame)),
    endInput: () => writeInOrder("end"),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Not by `once` of node:events, which rejects with the error that comes before. */
function closeOf(socket: WebSocket): Promise<{ readonly code: number; readonly reason: string }> {
  return new Promise((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  // Nobody may be waiting.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
