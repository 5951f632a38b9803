import {
  createStreamTransport,
  decodeFrames,
  encodeFrame,
  type Frame,
  type FrameValue,
  FrameWriteError,
  ReinsError,
  type Transport,
  type TransportExit,
} from "@reins/streamjson";

/** Options of {@link transportPair}. */
export interface TransportPairOptions {
  /**
   * How many bytes each direction holds before a write waits for the reader. Default 65,536, like a pipe on Linux. With 0 a write
   * settles only when the other side asks for it.
   */
  readonly bufferBytes?: number;
}

/** Two connected ends in memory: what the host holds, and the side of the CLI for the test to play. */
export interface TransportPair {
  /** Keeps every rule of {@link Transport}. `close()` ends the input, lets the CLI end react without waiting for time, then kills it. */
  readonly host: Transport;
  readonly cli: CliEnd;
}

/** The side of the CLI in a {@link TransportPair}: reads what the host sends, writes what the host reads, and exits. */
export interface CliEnd {
  /** The next frame of the host, or `undefined` when the input ended or this end is gone. Calls are answered in order. */
  read(): Promise<Frame | undefined>;

  /**
   * Writes a frame. Settles when there is room or the host took it.
   *
   * @throws FrameEncodeError when the value is no frame; nothing is written.
   * @throws FrameWriteError when the output ended, or the host reads no more.
   */
  send(frame: Frame | FrameValue): Promise<void>;

  /** Writes text or bytes as they are: noise, half lines, several lines at once. Settles and rejects like {@link CliEnd.send}. */
  write(chunk: string | Uint8Array): Promise<void>;

  /** Writes to the standard error, of which {@link TransportExit} shows the last 16,384 characters. */
  writeError(text: string): void;

  /** Ends the output behind what was written, and lives on. Idempotent. */
  endOutput(): void;

  /**
   * Ends this side: `host.closed` settles, `host.frames` ends behind what was written, sends of the host fail. The first exit counts.
   *
   * @param exit Default code 0. A signal wins over a code. Anything but code 0 gives the host a {@link CliExitError}.
   */
  exit(exit?: { readonly code?: number; readonly signal?: string }): void;

  /** Aborted when the host's `close()` killed this side. */
  readonly killed: AbortSignal;
}

/** The CLI of a {@link TransportPair} ended with an exit code other than 0, or by a signal. */
export class CliExitError extends ReinsError {
  readonly code = "REINS_CLI_EXIT" as const;
  /** The exit code, or `null` where a signal ended it. */
  readonly exitCode: number | null;
  /** The signal, or `null`. */
  readonly signal: string | null;
  /** The last part of its standard error. */
  readonly stderrTail: string;

  constructor(exit: { readonly code: number | null; readonly signal: string | null; readonly stderrTail: string }) {
    super(
      `The CLI ended ${exit.signal === null ? `with exit code ${exit.code}` : `by ${exit.signal}`}. Look at stderrTail.`,
    );
    this.exitCode = exit.code;
    this.signal = exit.signal;
    this.stderrTail = exit.stderrTail;
  }

  override get name(): string {
    return "CliExitError";
  }
}

/**
 * Connects a host to a CLI that the test plays itself, in memory and without `node:`.
 *
 * Both directions carry bytes and lines as pipes do, so a value that cannot be encoded, a line cut in two and a full buffer act
 * as they would there.
 *
 * @example
 * const { host, cli } = transportPair();
 * await host.send({ type: "user" });
 * console.log((await cli.read())?.value); // { type: "user" }
 * await cli.send({ type: "result" });
 * cli.exit();
 */
export function transportPair(options: TransportPairOptions = {}): TransportPair {
  const bufferBytes = options.bufferBytes ?? 65_536;
  const input = createPipe(bufferBytes);
  const output = createPipe(bufferBytes);
  const cli = new MemoryCliEnd(input, output);
  const host = createStreamTransport({
    readable: output.readable,
    writable: input.writable,
    close: () => cli.shutDown(),
    exit: cli.exited,
  });
  return { host, cli };
}

/** How much of the standard error is kept, in characters: what the process transport keeps of a real one. */
const stderrTailLength = 16_384;

interface Pipe {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly controller: TransformStreamDefaultController<Uint8Array>;
}

function createPipe(bufferBytes: number): Pipe {
  let controller: TransformStreamDefaultController<Uint8Array> | undefined;
  const start = (own: TransformStreamDefaultController<Uint8Array>): void => {
    controller = own;
  };
  const room = new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({ start }, undefined, room);
  // The constructor calls `start` before it returns.
  return { readable, writable, controller: controller! };
}

class MemoryCliEnd implements CliEnd {
  readonly exited: Promise<Partial<TransportExit>>;
  readonly #input: Pipe;
  readonly #output: Pipe;
  readonly #frames: AsyncIterator<Frame>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #killed: AbortController = new AbortController();
  readonly #settleExited: (exit: Partial<TransportExit>) => void;
  #stderrTail = "";
  #outputEnded = false;
  #gone = false;

  constructor(input: Pipe, output: Pipe) {
    this.#input = input;
    this.#output = output;
    this.#frames = decodeFrames(input.readable, { onMalformed: "deliver" })[Symbol.asyncIterator]();
    this.#writer = output.writable.getWriter();
    // A failure is told by each write; unobserved it would be an unhandled rejection.
    this.#writer.closed.catch(() => {});
    this.#writer.ready.catch(() => {});
    let settle: (exit: Partial<TransportExit>) => void = () => {};
    this.exited = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settleExited = settle;
  }

  get killed(): AbortSignal {
    return this.#killed.signal;
  }

  async read(): Promise<Frame | undefined> {
    try {
      const { value } = await this.#frames.next();
      return value;
    } catch {
      // The input fails only when this end has exited.
      return undefined;
    }
  }

  async send(frame: Frame | FrameValue): Promise<void> {
    await this.write(encodeFrame(frame));
  }

  async write(chunk: string | Uint8Array): Promise<void> {
    if (this.#outputEnded) throw new FrameWriteError("the output was ended");
    try {
      await this.#writer.write(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
    } catch (error) {
      throw new FrameWriteError("the host reads no more", error);
    }
  }

  writeError(text: string): void {
    this.#stderrTail = (this.#stderrTail + text).slice(-stderrTailLength);
  }

  endOutput(): void {
    if (this.#outputEnded) return;
    this.#outputEnded = true;
    // Waits for what was written, and fails where the host has gone: nobody is left to tell.
    this.#writer.close().catch(() => {});
  }

  exit(exit: { readonly code?: number; readonly signal?: string } = {}): void {
    if (this.#gone) return;
    this.#gone = true;
    const signal = exit.signal ?? null;
    const ended = { code: signal === null ? (exit.code ?? 0) : null, signal, stderrTail: this.#stderrTail };
    this.#settleExited(ended.code === 0 ? ended : { ...ended, error: new CliExitError(ended) });
    this.#input.controller.error(new Error("the CLI has exited"));
    this.endOutput();
  }

  /** What `close()` of the host does. */
  async shutDown(): Promise<void> {
    if (!this.#gone) this.#input.controller.terminate();
    await nextMacrotask();
    if (!this.#gone) this.#killed.abort();
    this.exit({ signal: "SIGKILL" });
    // What nobody has read by now, nobody will: this frees writes that wait for room, and the end behind them.
    this.#output.controller.terminate();
  }
}

/** Lets everything happen that waits for no time. Not a timer, so that fake timers cannot stop it. */
function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
