import { decodeFrame, type Frame } from "@reins/streamjson";
import { expect, test } from "vitest";
import { MessageQueue } from "./message-queue.ts";

function frame(id: number): Frame {
  return decodeFrame(`{"id":${id}}`);
}

function queue(limit = 1000, onReturn = async (): Promise<void> => {}): MessageQueue {
  return new MessageQueue(limit, onReturn);
}

async function idOf(result: Promise<IteratorResult<Frame, undefined>>): Promise<unknown> {
  return (await result).value?.value["id"];
}

test("hands out messages in order, to waiting and to later readers", async () => {
  const messages = queue();
  const first = idOf(messages.next());
  const second = idOf(messages.next());
  for (const id of [1, 2, 3]) messages.push(frame(id));
  expect([await first, await second, await idOf(messages.next())]).toEqual([1, 2, 3]);
});

test("delivers what is queued before the end, and the error once", async () => {
  const messages = queue();
  messages.push(frame(1));
  messages.end({ error: new Error("gone") });
  messages.push(frame(2));
  expect(await idOf(messages.next())).toBe(1);
  await expect(messages.next()).rejects.toThrow("gone");
  expect(await messages.next()).toEqual({ done: true, value: undefined });
});

test("tells the error to one of several waiting readers, and the end to the others", async () => {
  const messages = queue();
  const waiting = [messages.next(), messages.next()];
  messages.end({ error: new Error("gone") });
  expect((await Promise.allSettled(waiting)).map((settled) => settled.status)).toEqual(["rejected", "fulfilled"]);
});

test("an error of undefined is an error", async () => {
  const messages = queue();
  messages.end({ error: undefined });
  await expect(messages.next()).rejects.toBeUndefined();
});

test("is full at its limit, and has room again when half of it was taken", async () => {
  const messages = queue(40);
  for (let id = 0; id < 5; id++) messages.push(frame(id));
  expect(messages.isFull).toBe(true);
  let roomy = false;
  const room = messages.room().then(() => {
    roomy = true;
  });
  messages.take();
  messages.take();
  await Promise.resolve();
  expect(roomy).toBe(false);
  messages.take();
  await room;
  expect(roomy).toBe(true);
});

test("has room at once below its limit, behind its end, and when exactly half of it is left", async () => {
  const text = frame(1).length;
  const messages = queue(2 * text);
  await messages.room();
  messages.push(frame(1));
  messages.push(frame(2));
  const room = messages.room();
  messages.take();
  await room;
  messages.push(frame(3));
  messages.end();
  expect(messages.isFull).toBe(true);
  await messages.room();
});

test("stops waiting for room at the end and when it is told to", async () => {
  const messages = queue(1);
  messages.push(frame(1));
  const woken = messages.room();
  messages.wake();
  await woken;
  const ended = messages.room();
  messages.end();
  await ended;
});

test("keeps order and count over many messages", () => {
  const messages = queue(1e9);
  for (let id = 0; id < 10_000; id++) messages.push(frame(id));
  for (let id = 0; id < 10_000; id++) expect(messages.take()?.value["id"]).toBe(id);
  expect(messages.take()).toBeUndefined();
});

test("leaving the loop drops the rest and tells the owner", async () => {
  let returned = 0;
  const messages = queue(1000, async () => {
    returned++;
  });
  messages.push(frame(1));
  messages.push(frame(2));
  for await (const _ of messages) break;
  expect([returned, messages.take()]).toEqual([1, undefined]);
  expect(await messages.return()).toEqual({ done: true, value: undefined });
});
