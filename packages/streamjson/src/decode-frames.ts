import { FrameDecoder, type FrameDecoderOptions } from "./decoder.ts";
import { AlreadyConsumedError } from "./errors.ts";
import type { Frame } from "./frame.ts";

/** Bytes or text in chunks of any size: the body of a response, the stdout of a child, a file, an async generator. */
export type ChunkSource = ReadableStream<Uint8Array | string> | AsyncIterable<Uint8Array | string>;

/**
 * Decodes the frames of a byte source as they are asked for.
 *
 * Reads no further than its consumer asks. Leaving the loop early cancels the source. The source is taken when the
 * iteration begins, and once only. Whoever calls the iterator by hand: `return()` waits for a `next()` that is under way, which the end
 * of the source frees. A source that fails passes on its error, behind what it had written before.
 *
 * @throws {@link MalformedFrameError} or {@link FrameTooLargeError} at the place of a bad line with `onMalformed: "error"` (the default);
 * that ends the iteration and cancels the source. Choose `"deliver"` to go on.
 * @throws {@link AlreadyConsumedError} when a second consumer begins.
 * @example
 * for await (const frame of decodeFrames(child.stdout)) console.log(frame.type);
 */
export function decodeFrames(source: ChunkSource, options: FrameDecoderOptions = {}): AsyncIterable<Frame> {
  const batches = decodeBatches(source, options);
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches) yield* batch;
    },
  };
}

/**
 * Like {@link decodeFrames}, but hands out all frames of one chunk at once, which saves an `await` per frame. This is what
 * {@link Transport.frames} wants. A bad line (policy `"error"`) is thrown behind the batch of the frames before it.
 */
export function decodeBatches(source: ChunkSource, options: FrameDecoderOptions = {}): AsyncIterable<readonly Frame[]> {
  let consumed = false;
  return {
    [Symbol.asyncIterator]() {
      if (consumed) throw new AlreadyConsumedError("This source");
      consumed = true;
      return batchesOf(source, options);
    },
  };
}

/**
 * The web streams form of {@link decodeFrames}: pipe bytes or text in, read frames. A bad line errors the stream with
 * `onMalformed: "error"` (the default), behind the frames before it.
 *
 * @example
 * for await (const frame of response.body.pipeThrough(createFrameDecoderStream())) console.log(frame.type);
 */
export function createFrameDecoderStream(
  options: FrameDecoderOptions = {},
): TransformStream<Uint8Array | string, Frame> {
  // Set at once: `start` is called by the constructor.
  let stop!: () => void;
  const input = new TransformStream<Uint8Array | string>({
    start(controller) {
      stop = () => controller.terminate();
    },
  });
  const frames = decodeFrames(input.readable, options)[Symbol.asyncIterator]();
  const readable = new ReadableStream<Frame>(
    {
      async pull(controller) {
        const { done, value } = await frames.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // Not by `frames.return()`, which would wait for the next chunk.
      cancel: () => stop(),
    },
    // Nothing waits in this stream: an error would drop it.
    { highWaterMark: 0 },
  );
  return { readable, writable: input.writable };
}

async function* batchesOf(
  source: ChunkSource,
  options: FrameDecoderOptions,
): AsyncGenerator<readonly Frame[], undefined> {
  const decoder = new FrameDecoder(options);
  let isDecoding = false;
  try {
    for await (const chunk of "getReader" in source ? chunksOf(source) : source) {
      isDecoding = true;
      const { batch, failure } = ready(decoder.push(chunk));
      if (batch.length > 0) yield batch;
      if (failure !== undefined) throw failure.error;
      isDecoding = false;
    }
  } catch (error) {
    // The source failed. What it had written is told first, but that its last line is cut off is no news then.
    if (!isDecoding) {
      const { batch } = ready(decoder.end());
      if (batch.length > 0) yield batch;
    }
    throw error;
  }
  const { batch, failure } = ready(decoder.end());
  if (batch.length > 0) yield batch;
  if (failure !== undefined) throw failure.error;
}

/** What the decoder has, and the error of a bad line behind that, if there is one. No generator: those cost more than decoding. */
function ready(decoder: FrameDecoder): { batch: Frame[]; failure: { readonly error: unknown } | undefined } {
  const batch: Frame[] = [];
  try {
    for (const frame of decoder) batch.push(frame);
  } catch (error) {
    return { batch, failure: { error } };
  }
  return { batch, failure: undefined };
}

/** Iterates a web stream also where `ReadableStream` is not async iterable (Safari); early exit cancels it. */
async function* chunksOf(source: ReadableStream<Uint8Array | string>): AsyncGenerator<Uint8Array | string, undefined> {
  const reader = source.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // At the end of the stream this does nothing.
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
