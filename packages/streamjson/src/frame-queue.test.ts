import { describe, expect, test } from "vitest";
import { AlreadyConsumedError, decodeFrame, type Frame, FrameQueue } from "./index.ts";

function batch(...numbers: readonly number[]): Frame[] {
  return numbers.map((i) => decodeFrame(`{"i":${i}}`));
}

function numbersOf(result: IteratorResult<readonly Frame[], undefined>): unknown {
  return result.done ? "done" : result.value.map((frame) => frame.value["i"]);
}

/** Whether a promise has settled by now, after everything that needs no time. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  for (let i = 0; i < 10; i++) await Promise.resolve();
  return settled;
}

describe("the consumer", () => {
  test("gets all that has gathered as one batch, in order", async () => {
    const queue = new FrameQueue();
    void queue.push(batch(1, 2));
    void queue.push(batch(3));
    const iterator = queue[Symbol.asyncIterator]();
    expect(numbersOf(await iterator.next())).toEqual([1, 2, 3]);
    void queue.push(batch(4));
    expect(numbersOf(await iterator.next())).toEqual([4]);
  });

  test("gets what is pushed while it waits", async () => {
    const queue = new FrameQueue();
    const iterator = queue[Symbol.asyncIterator]();
    const next = iterator.next();
    void queue.push(batch(1));
    expect(numbersOf(await next)).toEqual([1]);
  });

  test("may ask again before it was answered", async () => {
    const queue = new FrameQueue();
    const iterator = queue[Symbol.asyncIterator]();
    const answers = [iterator.next(), iterator.next(), iterator.next()];
    void queue.push(batch(1));
    void queue.push(batch(2));
    queue.end();
    expect((await Promise.all(answers)).map(numbersOf)).toEqual([[1], [2], "done"]);
  });

  test("gets what was pushed before the end, and then the end, again and again", async () => {
    const queue = new FrameQueue();
    void queue.push(batch(1));
    queue.end();
    queue.end();
    const iterator = queue[Symbol.asyncIterator]();
    expect(numbersOf(await iterator.next())).toEqual([1]);
    expect(numbersOf(await iterator.next())).toBe("done");
    expect(numbersOf(await iterator.next())).toBe("done");
  });

  test("is told of the end while it waits", async () => {
    const queue = new FrameQueue();
    const next = queue[Symbol.asyncIterator]().next();
    queue.end();
    expect(numbersOf(await next)).toBe("done");
  });

  test("ends the queue when it leaves, also while it waits", async () => {
    const queue = new FrameQueue();
    const iterator = queue[Symbol.asyncIterator]();
    const next = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(numbersOf(await next)).toBe("done");
    await queue.push(batch(1));
    expect(numbersOf(await iterator.next())).toBe("done");
  });

  test("is one", () => {
    const queue = new FrameQueue();
    queue[Symbol.asyncIterator]();
    expect(() => queue[Symbol.asyncIterator]()).toThrow(AlreadyConsumedError);
  });
});

describe("a producer waits until", () => {
  test("its frames are taken", async () => {
    const queue = new FrameQueue();
    const pushed = queue.push(batch(1));
    expect(await hasSettled(pushed)).toBe(false);
    await queue[Symbol.asyncIterator]().next();
    expect(await hasSettled(pushed)).toBe(true);
  });

  test("nothing, when the consumer already waits", async () => {
    const queue = new FrameQueue();
    void queue[Symbol.asyncIterator]().next();
    expect(await hasSettled(queue.push(batch(1)))).toBe(true);
  });

  test("the consumer leaves with frames in the queue", async () => {
    const queue = new FrameQueue();
    const pushed = [queue.push(batch(1)), queue.push(batch(2))];
    await queue[Symbol.asyncIterator]().return?.();
    expect(await hasSettled(Promise.all(pushed))).toBe(true);
  });

  test("the queue ends, also when nobody ever reads it", async () => {
    const queue = new FrameQueue();
    const pushed = queue.push(batch(1));
    queue.end();
    expect(await hasSettled(pushed)).toBe(true);
    expect(await hasSettled(queue.push(batch(2)))).toBe(true);
  });
});

test("a batch of no frames is not delivered", async () => {
  const queue = new FrameQueue();
  await queue.push([]);
  queue.end();
  expect(numbersOf(await queue[Symbol.asyncIterator]().next())).toBe("done");
});

test("a long queue is emptied in linear time", async () => {
  const queue = new FrameQueue();
  const count = 200_000;
  const frames = batch(1);
  for (let i = 0; i < count; i++) void queue.push(frames);
  queue.end();
  let seen = 0;
  for await (const taken of queue) seen += taken.length;
  expect(seen).toBe(count);
});
