// The writer and the decoder over what Node gives: pipes of real children, its own streams, its buffers.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { createStreamTransport, decodeFrames, FrameDecoder, FrameWriteError, FrameWriter } from "@reins/streamjson";
import { describe, expect, test } from "vitest";

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Runs a program text with Node. The child is gone when the test ends, whatever happened. */
function startChild(program: string): Child & AsyncDisposable {
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "ignore"], env: {} });
  const exited = once(child, "exit");
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  });
}

/** More than a pipe holds, so that the write waits for a reader. */
const large = { text: "x".repeat(1024 * 1024) };

describe("the writer over the stdin of a child", () => {
  test("waits while the child does not read", async () => {
    await using child = startChild(`process.once("message", () => {}); setTimeout(() => process.stdin.resume(), 200);`);
    const writer = new FrameWriter(child.stdin);
    let taken = false;
    const write = writer.write(large).then(() => {
      taken = true;
    });
    await once(child, "spawn");
    expect(taken).toBe(false);
    await write;
    await writer.end();
  });

  test("rejects what waits when the child is killed, and all that comes later", async () => {
    await using child = startChild("setInterval(() => {}, 1000)");
    const writer = new FrameWriter(child.stdin);
    const writes = [writer.write(large), writer.write({ i: 2 })].map((write) => write.catch((error: unknown) => error));
    const end = writer.end();
    await once(child, "spawn");
    child.kill("SIGKILL");
    for (const outcome of await Promise.all(writes)) expect(outcome).toBeInstanceOf(FrameWriteError);
    await expect(writer.write({ i: 3 })).rejects.toBeInstanceOf(FrameWriteError);
    await end;
  });

  test("rejects when the child closes its input and lives on", async () => {
    await using child = startChild("require('fs').closeSync(0); console.log('{}'); setInterval(() => {}, 1000)");
    const writer = new FrameWriter(child.stdin);
    // The child has closed it once it writes.
    await once(child.stdout, "data");
    await expect(writer.write(large)).rejects.toMatchObject({ code: "REINS_FRAME_WRITE", cause: { code: "EPIPE" } });
    await expect(writer.write({})).rejects.toBeInstanceOf(FrameWriteError);
    await writer.end();
  });

  test("rejects when the child could not be started", async () => {
    const child = spawn("/nowhere/at-all", { stdio: ["pipe", "pipe", "ignore"] });
    const failed = once(child, "error");
    const writer = new FrameWriter(child.stdin);
    const write = writer.write(large).catch((error: unknown) => error);
    await failed;
    expect(await write).toBeInstanceOf(FrameWriteError);
    await writer.end();
  });

  test("delivers every frame, in order, and then the end", async () => {
    await using child = startChild("process.stdin.pipe(process.stdout)");
    const writer = new FrameWriter(child.stdin);
    const writes = Array.from({ length: 500 }, (_, i) => writer.write({ i, text: "ß".repeat(i) }));
    const end = writer.end();
    const seen: unknown[] = [];
    for await (const frame of decodeFrames(child.stdout)) seen.push(frame.value["i"]);
    expect(seen).toEqual(writes.map((_, i) => i));
    await Promise.all([...writes, end]);
  });
});

describe("the writer over a Node stream", () => {
  test("loses nothing when somebody else ends the stream", async () => {
    const stream = new PassThrough();
    const writer = new FrameWriter(stream);
    const write = writer.write({ i: 1 });
    stream.end();
    await expect(writer.write({ i: 2 })).rejects.toThrow(/the input was ended/);
    const seen: unknown[] = [];
    for await (const frame of decodeFrames(stream)) seen.push(frame.value);
    expect(seen).toEqual([{ i: 1 }]);
    await write;
    await writer.end();
  });

  test("rejects what waits when the stream is destroyed, with its error", async () => {
    const gone = new Error("gone");
    for (const error of [gone, undefined]) {
      // Never calls back.
      const stream = new Writable({ write() {} });
      const writer = new FrameWriter(stream);
      const writes = [writer.write({ i: 1 }), writer.write({ i: 2 })];
      stream.destroy(error);
      for (const write of writes) await expect(write).rejects.toBeInstanceOf(FrameWriteError);
      if (error !== undefined) await expect(writes[0]).rejects.toMatchObject({ cause: gone });
      await expect(writer.write({ i: 3 })).rejects.toBeInstanceOf(FrameWriteError);
      await writer.end();
    }
  });

  test("rejects on a stream that was destroyed before", async () => {
    const stream = new PassThrough();
    stream.destroy();
    const writer = new FrameWriter(stream);
    await expect(writer.write({})).rejects.toBeInstanceOf(FrameWriteError);
    await writer.end();
  });

  test("works over its web form too", async () => {
    const stream = new PassThrough();
    const writer = new FrameWriter(Writable.toWeb(stream));
    await writer.write({ i: 1 });
    const write = writer.write({ i: 2 });
    stream.destroy(new Error("gone"));
    await expect(Promise.all([write, writer.write({ i: 3 })])).rejects.toBeInstanceOf(FrameWriteError);
    await writer.end();
  });
});

describe("the decoder over what Node reads", () => {
  test("takes buffers, and the frames give their bytes", () => {
    const frames = [...new FrameDecoder().push(Buffer.from('\uFEFF{"a":"ß"}\r\n\n{"b":1}\n'))];
    expect(frames.map((frame) => frame.value)).toEqual([{ a: "ß" }, { b: 1 }]);
    expect(frames.map((frame) => Buffer.from(frame.bytes).toString())).toEqual(['{"a":"ß"}\r', '{"b":1}']);
    expect(frames.map((frame) => frame.byteOffset)).toEqual([3, 16]);
  });

  test("copies the beginning of a buffer that is too large", () => {
    const chunk = Buffer.from(`${"x".repeat(5000)}\n`);
    const [frame] = new FrameDecoder({ maxLineBytes: 2000, onMalformed: "deliver" }).push(chunk);
    chunk.fill(0);
    expect(Buffer.from(frame?.bytes ?? []).toString()).toBe("x".repeat(1024));
  });

  test("takes streams that give text", async () => {
    const stream = Readable.from(
      [Buffer.from('{"a":"😀"}\n').subarray(0, 8), Buffer.from('{"a":"😀"}\n').subarray(8)],
      {
        objectMode: false,
      },
    );
    stream.setEncoding("utf8");
    const seen: unknown[] = [];
    for await (const frame of decodeFrames(stream)) seen.push(frame.value);
    expect(seen).toEqual([{ a: "😀" }]);
  });

  test("destroys the stream when its consumer leaves", async () => {
    const stream = new PassThrough();
    stream.write('{"a":1}\n');
    for await (const _ of decodeFrames(stream)) break;
    expect(stream.destroyed).toBe(true);
  });

  test("gives the half line of a child that is killed in the middle of it as a truncated frame", async () => {
    await using child = startChild(`process.stdout.write('{"a":1}\\n{"b":'); setInterval(() => {}, 1000)`);
    const exit = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    const transport = createStreamTransport({
      readable: child.stdout,
      writable: child.stdin,
      exit,
      close: () => void child.kill("SIGKILL"),
    });
    const seen: unknown[] = [];
    for await (const batch of transport.frames) {
      for (const frame of batch) seen.push(frame.error ?? frame.value);
      child.kill("SIGKILL");
    }
    expect(seen).toEqual([{ a: 1 }, expect.objectContaining({ truncated: true, line: '{"b":' })]);
    expect(await transport.closed).toEqual({ code: null, signal: "SIGKILL", stderrTail: "" });
  });
});
