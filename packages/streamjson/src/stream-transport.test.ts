import { describe, expect, expectTypeOf, test } from "vitest";
import {
  AlreadyConsumedError,
  createStreamTransport,
  type Frame,
  FrameWriteError,
  type StreamTransportOptions,
  type Transport,
  type TransportExit,
} from "./index.ts";

interface Side {
  readonly transport: Transport;
  /** What the other side has read. */
  readonly written: string[];
  /** The other side writes. */
  readonly write: (text: string) => void;
  readonly endOutput: () => void;
  readonly failOutput: (error: unknown) => void;
  readonly closes: () => number;
}

/** A transport over web streams whose other side the test plays. */
function connect(options: Partial<StreamTransportOptions> = {}): Side {
  const written: string[] = [];
  let closes = 0;
  let output: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isOpen = true;
  const end = (): void => {
    if (isOpen) output?.close();
    isOpen = false;
  };
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      output = controller;
    },
    cancel() {
      isOpen = false;
    },
  });
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      written.push(new TextDecoder().decode(chunk));
    },
    close() {
      written.push("end");
    },
  });
  const close = (): void => {
    closes++;
    end();
  };
  return {
    transport: createStreamTransport({ readable, writable, close, ...options }),
    written,
    write: (text) => output?.enqueue(new TextEncoder().encode(text)),
    endOutput: end,
    failOutput: (error) => output?.error(error),
    closes: () => closes,
  };
}

async function linesOf(transport: Transport): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of transport.frames) for (const frame of batch) lines.push(frame.text);
  return lines;
}

const unknown: TransportExit = { code: null, signal: null, stderrTail: "" };

test("carries frames both ways, bad lines too, and tells the end", async () => {
  const side = connect({ maxLineBytes: 20 });
  await side.transport.send({ type: "user" });
  side.write('{"a":1}\nbanner\n');
  side.write(`${"x".repeat(30)}\n{"a":2}`);
  await side.transport.endInput();
  side.endOutput();
  const frames: Frame[] = [];
  for await (const batch of side.transport.frames) frames.push(...batch);
  expect(frames.map((frame) => frame.error?.code ?? frame.value)).toEqual([
    { a: 1 },
    "REINS_FRAME_MALFORMED",
    "REINS_FRAME_TOO_LARGE",
    { a: 2 },
  ]);
  expect(side.written).toEqual(['{"type":"user"}\n', "end"]);
  expect(await side.transport.closed).toEqual(unknown);
});

describe("close", () => {
  test("works before anything was read, twice, and settles with closed", async () => {
    const side = connect();
    const closes = [side.transport.close(), side.transport.close()];
    await Promise.all(closes);
    await side.transport.close();
    expect(side.closes()).toBe(1);
    expect(await side.transport.closed).toEqual(unknown);
    expect(await linesOf(side.transport)).toEqual([]);
  });

  test("frees a consumer that waits", async () => {
    const side = connect();
    const lines = linesOf(side.transport);
    side.write('{"a":1}\n');
    await side.transport.close();
    expect(await lines).toEqual(['{"a":1}']);
  });

  test("comes by await using", async () => {
    const side = connect();
    {
      await using transport = side.transport;
      await transport.send({});
    }
    expect(side.closes()).toBe(1);
  });

  test("refuses what is sent afterwards", async () => {
    const side = connect();
    const closing = side.transport.close();
    await expect(side.transport.send({})).rejects.toBeInstanceOf(FrameWriteError);
    await closing;
    await side.transport.endInput();
    expect(side.written).toEqual(["end"]);
  });

  test("never rejects, whatever the closing throws", async () => {
    const failing: (() => void | Promise<void>)[] = [
      () => {
        throw new Error("close failed");
      },
      () => Promise.reject(new Error("close failed")),
    ];
    for (const close of failing) {
      const { transport } = connect({ close });
      await transport.close();
      expect(await transport.closed).toEqual(unknown);
    }
  });

  test("waits for the exit", async () => {
    let exited: ((exit: Partial<TransportExit>) => void) | undefined;
    const exit = new Promise<Partial<TransportExit>>((resolve) => {
      exited = resolve;
    });
    let isClosed = false;
    const side = connect({ exit });
    const closing = side.transport.close().then(() => {
      isClosed = true;
    });
    expect(await linesOf(side.transport)).toEqual([]);
    expect(isClosed).toBe(false);
    exited?.({ code: 143, error: new Error("exit 143") });
    await closing;
    // It was asked for, so it is no failure.
    expect(await side.transport.closed).toEqual({ ...unknown, code: 143 });
  });
});

describe("closed tells", () => {
  test("the exit as it was given", async () => {
    const error = new Error("exit 1");
    const { transport } = connect({ exit: Promise.resolve({ code: 1, stderrTail: "oops", error }) });
    expect(await transport.closed).toEqual({ code: 1, signal: null, stderrTail: "oops", error });
  });

  test("a rejected exit as its error", async () => {
    const error = new Error("lost");
    expect(await connect({ exit: Promise.reject(error) }).transport.closed).toEqual({ ...unknown, error });
    expect(await connect({ exit: Promise.reject("lost") }).transport.closed).toMatchObject({
      error: { message: "lost", cause: "lost" },
    });
  });

  test("why the source failed, whose frames end without an error, behind those before it", async () => {
    const error = new Error("reset");
    async function* source(): AsyncGenerator<string> {
      yield '{"a":1}\n{"cut';
      throw error;
    }
    const { transport } = connect({ readable: source() });
    expect(await linesOf(transport)).toEqual(['{"a":1}', '{"cut']);
    expect(await transport.closed).toEqual({ ...unknown, error });
  });

  test("why the source failed beside an exit that has no error of its own", async () => {
    const error = new Error("reset");
    let exited: ((exit: Partial<TransportExit>) => void) | undefined;
    const exit = new Promise<Partial<TransportExit>>((resolve) => {
      exited = resolve;
    });
    const side = connect({ exit });
    side.failOutput(error);
    expect(await linesOf(side.transport)).toEqual([]);
    exited?.({ code: 0 });
    expect(await side.transport.closed).toEqual({ ...unknown, code: 0, error });
  });

  test("no failure that came of closing", async () => {
    const side = connect({ close: () => side.failOutput(new Error("destroyed")) });
    const lines = linesOf(side.transport);
    await side.transport.close();
    expect(await lines).toEqual([]);
    expect(await side.transport.closed).toEqual(unknown);
  });
});

describe("the consumer", () => {
  test("is one", async () => {
    const { transport, endOutput } = connect();
    transport.frames[Symbol.asyncIterator]();
    expect(() => transport.frames[Symbol.asyncIterator]()).toThrow(AlreadyConsumedError);
    endOutput();
    await transport.close();
  });

  test("cancels the source when it leaves, and closed settles", async () => {
    const side = connect();
    side.write('{"a":1}\n');
    for await (const _ of side.transport.frames) break;
    expect(await side.transport.closed).toEqual(unknown);
    await side.transport.close();
  });

  test("may leave before it has begun", async () => {
    const { transport } = connect();
    await transport.frames[Symbol.asyncIterator]().return?.();
    expect(await transport.closed).toEqual(unknown);
  });

  test("is told of a source that does not let go by closed", async () => {
    const error = new Error("stuck");
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: '{"a":1}\n' }),
        return: () => Promise.reject(error),
      }),
    };
    const { transport } = connect({ readable: source });
    for await (const _ of transport.frames) break;
    expect(await transport.closed).toEqual({ ...unknown, error });
  });

  test("does not read ahead", async () => {
    let taken = 0;
    async function* source(): AsyncGenerator<string> {
      for (;;) {
        taken++;
        yield '{"a":1}\n';
      }
    }
    const { transport } = connect({ readable: source() });
    const iterator = transport.frames[Symbol.asyncIterator]();
    await iterator.next();
    expect(taken).toBe(1);
    await iterator.return?.();
  });
});

test("a wrong limit is told when the reading begins", async () => {
  const { transport } = connect({ maxLineBytes: -1 });
  expect(await linesOf(transport)).toEqual([]);
  expect(await transport.closed).toMatchObject({ error: expect.any(RangeError) });
});

test("is a Transport, of which a stranger can write another", () => {
  expectTypeOf(createStreamTransport).returns.toEqualTypeOf<Transport>();
  expectTypeOf<Transport>().toExtend<AsyncDisposable>();
});
