import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { Output, OutputGone } from "./output.ts";
import { Progress } from "./progress.ts";

test("a slow reader is waited for", async () => {
  const stream = new PassThrough({ highWaterMark: 4 });
  const output = new Output(stream);
  let isWritten = false;
  const written = output.write("more than four").then(() => {
    isWritten = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isWritten).toBe(false);
  stream.resume();
  await written;
});

test("a reader that is gone ends what waits and what comes after", async () => {
  const stream = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => setImmediate(done, Object.assign(new Error("EPIPE"), { code: "EPIPE" })),
  });
  const output = new Output(stream);
  await expect(output.write("text")).rejects.toThrow(OutputGone);
  await expect(output.write("text")).rejects.toThrow(OutputGone);
  expect(output.gone.aborted).toBe(true);
});

test("what a slow reader has not taken at the end is waited for, however little it is", async () => {
  let take: (() => void) | undefined;
  const stream = new Writable({
    write: (_chunk, _encoding, done) => {
      take = done;
    },
  });
  const output = new Output(stream);
  await output.write("little");
  let isFlushed = false;
  const flushed = output.flush().then(() => {
    isFlushed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFlushed).toBe(false);
  take?.();
  await flushed;
});

test("a disk that is full is an error, not a reader that is gone", async () => {
  const full = Object.assign(new Error("No space left"), { code: "ENOSPC" });
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => setImmediate(done, full) });
  await expect(new Output(stream).write("text")).rejects.toBe(full);
});

test("progress is one line on a terminal, and nothing elsewhere", async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 10 });
  const progress = new Progress(new Output(terminal));
  await progress.show("Session 1 of 2 ...");
  await progress.clear();
  await progress.clear();
  expect(String(terminal.read())).toBe("\r\u001b[KSession…\r\u001b[K");

  const pipe = new PassThrough();
  const silent = new Progress(new Output(pipe));
  await silent.show("Session 1 of 2 ...");
  await silent.clear();
  expect(pipe.read()).toBe(null);
});
