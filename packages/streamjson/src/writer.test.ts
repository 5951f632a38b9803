import { describe, expect, test } from "vitest";
import { decodeFrame, FrameEncodeError, FrameWriteError, FrameWriter, type NodeWritable } from "./index.ts";

/** A web sink whose writes are settled by the test. */
function heldSink(): {
  stream: WritableStream<Uint8Array>;
  lines: string[];
  release: () => void;
  fail: (error: unknown) => void;
  closed: () => boolean;
} {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  let closed = false;
  let controller: WritableStreamDefaultController | undefined;
  const stream = new WritableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    write(chunk) {
      lines.push(new TextDecoder().decode(chunk));
      return new Promise((resolve) => waiting.push(resolve));
    },
    close() {
      closed = true;
    },
  });
  return {
    stream,
    lines,
    release: () => waiting.shift()?.(),
    fail: (error) => controller?.error(error),
    closed: () => closed,
  };
}

/** The smallest Node writable: keeps what is written until the test calls back. */
class HeldWritable implements NodeWritable {
  destroyed = false;
  writableEnded = false;
  readonly lines: string[] = [];
  readonly callbacks: ((error?: Error | null) => void)[] = [];
  readonly #listeners: { event: string; listener: (error: Error) => void }[] = [];

  write(chunk: string, callback: (error?: Error | null) => void): boolean {
    this.lines.push(chunk);
    this.callbacks.push(callback);
    return false;
  }

  end(callback: () => void): void {
    this.writableEnded = true;
    this.callbacks.push(callback);
  }

  on(event: string, listener: (error: Error) => void): void {
    this.#listeners.push({ event, listener });
  }

  emit(event: "error" | "close", error: Error = new Error(event)): void {
    for (const entry of this.#listeners) if (entry.event === event) entry.listener(error);
  }
}

const gone = new Error("gone");

describe("over a web stream", () => {
  test("writes whole lines in the order of the calls and settles when the sink has taken them", async () => {
    const sink = heldSink();
    const writer = new FrameWriter(sink.stream);
    const settled: number[] = [];
    const writes = [1, 2].map((i) => writer.write({ i }).then(() => settled.push(i)));
    await Promise.resolve();
    expect(settled).toEqual([]);
    sink.release();
    await writes[0];
    expect([settled, sink.lines]).toEqual([[1], ['{"i":1}\n', '{"i":2}\n']]);
    sink.release();
    await Promise.all(writes);
  });

  test("rejects the writes that wait when the stream errors, also the one that never comes back", async () => {
    const sink = heldSink();
    const writer = new FrameWriter(sink.stream);
    const writes = [writer.write({ i: 1 }), writer.write({ i: 2 })];
    sink.fail(gone);
    for (const write of writes) {
      await expect(write).rejects.toBeInstanceOf(FrameWriteError);
      await expect(write).rejects.toMatchObject({ cause: gone });
    }
    await expect(writer.write({ i: 3 })).rejects.toMatchObject({ code: "REINS_FRAME_WRITE", cause: gone });
    await writer.end();
  });

  test("rejects when the sink's own write throws", async () => {
    const writer = new FrameWriter(
      new WritableStream<Uint8Array>({
        write() {
          throw gone;
        },
      }),
    );
    await expect(writer.write({})).rejects.toMatchObject({ cause: gone });
  });

  test("rejects when the reader of a transform stream went away", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = new FrameWriter(writable);
    const write = writer.write({});
    await readable.cancel(gone);
    await expect(write).rejects.toBeInstanceOf(FrameWriteError);
  });

  test("ends behind what was written, once, and takes no more", async () => {
    const sink = heldSink();
    const writer = new FrameWriter(sink.stream);
    const write = writer.write({ i: 1 });
    const ends = [writer.end(), writer.end()];
    await expect(writer.write({ i: 2 })).rejects.toThrow(/the input was ended/);
    expect(sink.closed()).toBe(false);
    sink.release();
    await Promise.all([write, ...ends]);
    expect([sink.lines, sink.closed()]).toEqual([['{"i":1}\n'], true]);
  });

  test("ends without a failure when the stream errors meanwhile, or has before", async () => {
    const sink = heldSink();
    const writer = new FrameWriter(sink.stream);
    const write = writer.write({});
    const end = writer.end();
    sink.fail(gone);
    await expect(write).rejects.toBeInstanceOf(FrameWriteError);
    await end;
    const dead = heldSink();
    dead.fail(gone);
    await new FrameWriter(dead.stream).end();
  });

  test("refuses a stream that another writer has", () => {
    const { stream } = heldSink();
    stream.getWriter();
    expect(() => new FrameWriter(stream)).toThrow(TypeError);
  });
});

describe("over a Node writable", () => {
  test("settles each write when the stream calls back", async () => {
    const stream = new HeldWritable();
    const writer = new FrameWriter(stream);
    const writes = [writer.write({ i: 1 }), writer.write({ i: 2 })];
    expect(stream.lines).toEqual(['{"i":1}\n', '{"i":2}\n']);
    for (const callback of stream.callbacks) callback();
    await Promise.all(writes);
  });

  test("rejects with the error that the stream calls back with", async () => {
    const stream = new HeldWritable();
    const write = new FrameWriter(stream).write({});
    stream.callbacks[0]?.(gone);
    await expect(write).rejects.toMatchObject({ code: "REINS_FRAME_WRITE", cause: gone });
  });

  test("rejects what waits when the stream dies without calling back, and says why from then on", async () => {
    for (const event of ["error", "close"] as const) {
      const stream = new HeldWritable();
      const writer = new FrameWriter(stream);
      const writes = [writer.write({ i: 1 }), writer.write({ i: 2 })];
      stream.emit(event, gone);
      stream.emit("close");
      for (const write of [...writes, writer.write({ i: 3 })])
        await expect(write).rejects.toBeInstanceOf(FrameWriteError);
      await expect(writer.write({ i: 4 })).rejects.toThrow(event === "error" ? /failed/ : /closed/);
      expect(stream.lines).toHaveLength(2);
      await writer.end();
    }
  });

  test("ends once, behind what was written, and settles when the stream dies instead", async () => {
    const stream = new HeldWritable();
    const writer = new FrameWriter(stream);
    const ends = [writer.end(), writer.end()];
    expect(stream.callbacks).toHaveLength(1);
    await expect(writer.write({})).rejects.toThrow(/the input was ended/);
    stream.emit("close");
    await Promise.all(ends);
  });

  test("rejects a write that was under way when its stream was destroyed, which Node calls a success", async () => {
    const stream = new HeldWritable();
    const write = new FrameWriter(stream).write({ i: 1 });
    stream.destroyed = true;
    stream.callbacks[0]?.(null);
    await expect(write).rejects.toBeInstanceOf(FrameWriteError);
  });

  test("refuses a stream that was destroyed, or that somebody else has ended, without writing to it", async () => {
    const destroyed = new HeldWritable();
    destroyed.destroyed = true;
    const ended = new HeldWritable();
    ended.writableEnded = true;
    for (const stream of [destroyed, ended]) {
      await expect(new FrameWriter(stream).write({})).rejects.toBeInstanceOf(FrameWriteError);
      expect(stream.lines).toEqual([]);
    }
  });
});

test("a value that is no frame writes nothing, and the writer stays usable", async () => {
  const stream = new HeldWritable();
  const writer = new FrameWriter(stream);
  await expect(writer.write({ n: Number.NaN })).rejects.toBeInstanceOf(FrameEncodeError);
  await expect(writer.write(decodeFrame("broken"))).rejects.toBeInstanceOf(FrameEncodeError);
  expect(stream.lines).toEqual([]);
  const write = writer.write({ n: 1 });
  stream.callbacks[0]?.();
  await write;
  expect(stream.lines).toEqual(['{"n":1}\n']);
});
