import { encodeFrame } from "./encoder.ts";
import { FrameWriteError } from "./errors.ts";
import type { Frame, FrameValue } from "./frame.ts";

/** The part of a Node.js writable stream that {@link FrameWriter} uses. */
export interface NodeWritable {
  /** Whether it takes nothing more, since it was destroyed or has failed. */
  readonly destroyed: boolean;
  /** Whether `end` was called. */
  readonly writableEnded: boolean;
  /** Takes a text, and calls back when it was written, or with the reason why not. */
  write(chunk: string, callback: (error?: Error | null) => void): boolean;
  /** Takes no more, and calls back when all was written. */
  end(callback: () => void): unknown;
  /** Told when the stream fails. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Told when the stream is gone, whatever the reason. */
  on(event: "close", listener: () => void): unknown;
}

/** Where frames can be written: a web stream of bytes, or a Node.js writable such as the stdin of a child or a socket. */
export type FrameSink = WritableStream<Uint8Array> | NodeWritable;

/**
 * Writes frames to a byte sink: whole lines, in the order of the calls.
 *
 * A frame is encoded before anything is written, so a value that cannot be encoded writes nothing: half a line on its standard
 * input would kill the CLI. The writer owns the sink: nobody else may write to it.
 */
export class FrameWriter {
  readonly #sink: ByteSink;
  /** Rejects what waits when the sink dies without an answer. */
  readonly #waiting = new Set<(failure: FrameWriteError) => void>();
  #failure: FrameWriteError | undefined;
  #ended: Promise<void> | undefined;

  constructor(sink: FrameSink) {
    const fail: Fail = (reason, cause) => {
      this.#failure ??= new FrameWriteError(reason, cause);
      for (const reject of this.#waiting) reject(this.#failure);
      this.#waiting.clear();
    };
    this.#sink = "getWriter" in sink ? webSink(sink, fail) : nodeSink(sink, fail);
  }

  /**
   * Writes one frame. Settles when the sink has taken it, so awaiting it is the backpressure.
   *
   * @throws {@link FrameEncodeError} when the value is no frame; the writer stays usable.
   * @throws {@link FrameWriteError} when the sink ended, closed or failed, also while the frame waited.
   */
  async write(frame: Frame | FrameValue): Promise<void> {
    const line = encodeFrame(frame);
    if (this.#ended !== undefined) throw new FrameWriteError(inputEnded);
    await this.#unlessFailed((done) => this.#sink.write(line, done));
  }

  /** Ends the sink after the frames that were written. Idempotent; never rejects, also when the sink has failed. */
  async end(): Promise<void> {
    this.#ended ??= this.#unlessFailed((done) => this.#sink.end(done)).catch(() => {});
    await this.#ended;
  }

  #unlessFailed(act: (done: Done) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure;
      this.#waiting.add(reject);
      act((refusal) => {
        this.#waiting.delete(reject);
        if (refusal) reject(refusal);
        else resolve();
      });
    });
  }
}

type Fail = (reason: string, cause?: unknown) => void;

type Done = (refusal?: unknown) => void;

/** Calls back when it is done, or refuses. A failure is one of the whole sink. */
interface ByteSink {
  write(line: string, done: Done): void;
  end(done: Done): void;
}

const inputEnded = "the input was ended";
const streamFailed = "the stream failed";
export const streamClosed = "the stream is closed";

function nodeSink(stream: NodeWritable, fail: Fail): ByteSink {
  // These stay for the life of the stream: a late EPIPE without a listener would end the host process.
  stream.on("error", (error) => fail(streamFailed, error));
  stream.on("close", () => fail(streamClosed));
  if (stream.destroyed) fail(streamClosed);
  return {
    write(line, done) {
      // Asked before, since Node destroys a stream that is written to after its end, with what it has not flushed.
      if (stream.writableEnded) done(new FrameWriteError(inputEnded));
      else {
        stream.write(line, (error) => {
          if (error) fail(streamFailed, error);
          // Node calls it success, too, when a write that was under way was given up with its stream.
          else if (stream.destroyed) fail(streamClosed);
          else done();
        });
      }
    },
    end: (done) => stream.end(done),
  };
}

function webSink(stream: WritableStream<Uint8Array>, fail: Fail): ByteSink {
  const writer = stream.getWriter();
  const failed = (error: unknown): void => fail(streamFailed, error);
  writer.closed.catch(failed);
  return {
    write(line, done) {
      writer.write(new TextEncoder().encode(line)).then(done, failed);
      // Tells of the failure also when the write that is under way never comes back.
      writer.ready.catch(failed);
    },
    end: (done) => void writer.close().then(done, failed),
  };
}
