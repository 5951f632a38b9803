import { describe, expect, test } from "vitest";
import {
  AlreadyConsumedError,
  createFrameDecoderStream,
  decodeBatches,
  decodeFrames,
  type Frame,
  MalformedFrameError,
} from "./index.ts";

/** A source that tells what was taken from it and whether it was released. */
function source(chunks: readonly string[]): {
  iterable: AsyncIterable<string>;
  taken: () => number;
  released: () => boolean;
} {
  let taken = 0;
  let released = false;
  async function* generate(): AsyncGenerator<string> {
    try {
      for (const chunk of chunks) {
        taken++;
        yield chunk;
      }
    } finally {
      released = true;
    }
  }
  return { iterable: generate(), taken: () => taken, released: () => released };
}

function webStream(chunks: readonly string[], onCancel?: () => void): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = rest.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel() {
        onCancel?.();
      },
    },
    { highWaterMark: 0 },
  );
}

async function collect(frames: AsyncIterable<Frame>): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const frame of frames) values.push(frame.value);
  return values;
}

const chunks = ['{"a":1}\n{"a"', ":2}\n", '{"a":3}'];
const values = [{ a: 1 }, { a: 2 }, { a: 3 }];

test("decodes an async iterable and a web stream", async () => {
  expect(await collect(decodeFrames(source(chunks).iterable))).toEqual(values);
  expect(await collect(decodeFrames(webStream(chunks)))).toEqual(values);
});

test("decodes a web stream where those cannot be iterated, as in Safari", async () => {
  let cancelled = false;
  const stream = webStream(chunks, () => {
    cancelled = true;
  });
  // No such method, rather than one that fails.
  const safari = { getReader: () => stream.getReader() } as ReadableStream<Uint8Array>;
  for await (const frame of decodeFrames(safari)) {
    expect(frame.value).toEqual({ a: 1 });
    break;
  }
  expect([cancelled, stream.locked]).toEqual([true, false]);
});

test("reads no further than it is asked to", async () => {
  const input = source(chunks);
  const iterator = decodeFrames(input.iterable)[Symbol.asyncIterator]();
  expect(input.taken()).toBe(0);
  await iterator.next();
  expect(input.taken()).toBe(1);
});

test("gives the frames of one chunk as one batch", async () => {
  const batches: number[] = [];
  for await (const batch of decodeBatches(source(['{"a":1}\n{"a":2}\n', "\n", '{"a":3}\n']).iterable))
    batches.push(batch.length);
  expect(batches).toEqual([2, 1]);
});

describe("the source is released", () => {
  test("by break", async () => {
    const input = source(chunks);
    for await (const _ of decodeFrames(input.iterable)) break;
    expect(input.released()).toBe(true);
  });

  test("by break, for a web stream, which is unlocked too", async () => {
    let cancelled = false;
    const stream = webStream(chunks, () => {
      cancelled = true;
    });
    for await (const _ of decodeFrames(stream)) break;
    expect([cancelled, stream.locked]).toEqual([true, false]);
  });

  test("by a bad line, behind the frames before it", async () => {
    const input = source(['{"a":1}\nbad\n{"a":2}\n']);
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const frame of decodeFrames(input.iterable)) seen.push(frame.value);
    })();
    await expect(reading).rejects.toBeInstanceOf(MalformedFrameError);
    expect([seen, input.released()]).toEqual([[{ a: 1 }], true]);
  });

  test("by a bad last line that has no newline, behind the frames before it", async () => {
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const frame of decodeFrames(source(['{"a":1}\n{"a"']).iterable)) seen.push(frame.value);
    })();
    await expect(reading).rejects.toMatchObject({ line: '{"a"', truncated: true });
    expect(seen).toEqual([{ a: 1 }]);
  });
});

describe("a source that fails", () => {
  async function* failing(...parts: readonly string[]): AsyncGenerator<string> {
    yield* parts;
    throw new Error("source failed");
  }

  test("passes on its error behind the frames before it, also behind a last one without a newline", async () => {
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const frame of decodeFrames(failing('{"a":1}\n{"a', '":2}'))) seen.push(frame.value);
    })();
    await expect(reading).rejects.toThrow("source failed");
    expect(seen).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("passes on its error and not one of the line that was cut off, nor a batch of nothing", async () => {
    const sizes: number[] = [];
    const reading = (async () => {
      for await (const batch of decodeBatches(failing('{"a":1}\n{"a'))) sizes.push(batch.length);
    })();
    await expect(reading).rejects.toThrow("source failed");
    expect(sizes).toEqual([1]);
  });

  test("has its cut line delivered where bad lines are", async () => {
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const frame of decodeFrames(failing('{"a'), { onMalformed: "deliver" })) seen.push(frame.error);
    })();
    await expect(reading).rejects.toThrow("source failed");
    expect(seen).toEqual([expect.objectContaining({ line: '{"a', truncated: true })]);
  });

  test("may be a web stream, which is unlocked", async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("source failed"));
      },
    });
    await expect(collect(decodeFrames(stream))).rejects.toThrow("source failed");
    expect(stream.locked).toBe(false);
  });
});

describe("the transform stream", () => {
  async function readAll(stream: ReadableStream<Frame>): Promise<unknown[]> {
    const seen: unknown[] = [];
    const reader = stream.getReader();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) seen.push(read.value.value);
    } catch (error) {
      seen.push(error);
    }
    return seen;
  }

  test("decodes", async () => {
    expect(await readAll(webStream(chunks).pipeThrough(createFrameDecoderStream()))).toEqual(values);
  });

  test("errors behind the frames before the bad line, and cancels what is piped into it", async () => {
    let cancelled = false;
    const input = webStream(['{"a":1}\n{"a":2}\nbad\n{"a":3}\n', "never read"], () => {
      cancelled = true;
    });
    const seen = await readAll(input.pipeThrough(createFrameDecoderStream()));
    expect(seen).toEqual([{ a: 1 }, { a: 2 }, expect.any(MalformedFrameError)]);
    expect(cancelled).toBe(true);
  });

  test("takes the policy", async () => {
    const input = webStream(['bad\n{"a":1}\n']);
    expect(await readAll(input.pipeThrough(createFrameDecoderStream({ onMalformed: "skip" })))).toEqual([{ a: 1 }]);
  });

  test("passes on the error of what is piped into it, behind the frames before it", async () => {
    const input = new ReadableStream<string>(
      {
        start(controller) {
          controller.enqueue('{"a":1}\n{"a":2}\n');
        },
        pull(controller) {
          controller.error(new Error("source failed"));
        },
      },
      { highWaterMark: 0 },
    );
    const seen = await readAll(input.pipeThrough(createFrameDecoderStream()));
    expect(seen.at(-1)).toMatchObject({ message: "source failed" });
  });

  test("reads no further than it is asked to", async () => {
    let pulled = 0;
    const input = new ReadableStream<string>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue('{"a":1}\n{"a":2}\n'.repeat(1000));
        },
      },
      { highWaterMark: 0 },
    );
    let decoded = 0;
    const decodeText = (bytes: Uint8Array): string => {
      decoded++;
      return new TextDecoder().decode(bytes);
    };
    const reader = input.pipeThrough(createFrameDecoderStream({ decodeText })).getReader();
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setTimeout(resolve, 0));
    expect(decoded).toBe(0);
    for (let i = 0; i < 10; i++) await reader.read();
    expect(decoded).toBe(1);
    // One chunk is being decoded, and one waits in the pipe.
    expect(pulled).toBeLessThanOrEqual(2);
    await reader.cancel();
  });

  test("cancels what is piped into it when its reader leaves, also while it waits for the next chunk", async () => {
    let cancel: (() => void) | undefined;
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const silent = new ReadableStream<string>({ cancel: () => cancel?.() });
    const reader = silent.pipeThrough(createFrameDecoderStream()).getReader();
    const read = reader.read();
    await reader.cancel();
    await cancelled;
    expect((await read).done).toBe(true);
  });
});

test("refuses a second consumer", async () => {
  const frames = decodeFrames(source(chunks).iterable);
  await collect(frames);
  await expect(collect(frames)).rejects.toBeInstanceOf(AlreadyConsumedError);
});
