import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LineInput } from "./line-input.ts";

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("lines come whole, however they were cut, and the last one without its end", async () => {
  async function* chunks(): AsyncGenerator<Uint8Array | string> {
    const bytes = new TextEncoder().encode("Ä\r\n\nb\u2028c\nrest");
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  const input = new LineInput(chunks());
  const lines = [await input.next(never), await input.next(never), await input.next(never), await input.next(never)];
  expect(lines).toEqual(["Ä", "", "b\u2028c", "rest"]);
  expect(await input.next(never)).toBe(undefined);
});

test("what was typed ahead is a message, and no answer to a question that came later", async () => {
  const source = new PassThrough();
  const input = new LineInput(source);
  const first = input.next(never);
  source.write("first\nmessage\ny\n");
  expect(await first).toBe("first");
  await turn();
  const answer = input.next(never, true);
  source.write("n\n");
  expect(await answer).toBe("n");
  expect([await input.next(never), await input.next(never)]).toEqual(["message", "y"]);
  source.end();
  expect(await input.next(never)).toBe(undefined);
});

test("who stops waiting leaves the line to the next", async () => {
  const source = new PassThrough();
  const input = new LineInput(source);
  const abort = new AbortController();
  const first = input.next(abort.signal);
  abort.abort();
  expect(await first).toBe(undefined);
  expect(await input.next(abort.signal)).toBe(undefined);
  const second = input.next(never);
  source.write("line\n");
  expect(await second).toBe("line");
  const third = input.next(never);
  source.destroy();
  expect(await third).toBe(undefined);
});

test("a line is for the last who asked, and the end of the input for all", async () => {
  const source = new PassThrough();
  const input = new LineInput(source);
  const message = input.next(never);
  // A question of a turn that the CLI has begun by itself.
  const answer = input.next(never);
  source.write("y\n");
  expect(await answer).toBe("y");
  const abort = new AbortController();
  const withdrawn = input.next(abort.signal);
  abort.abort();
  expect(await withdrawn).toBe(undefined);
  source.write("message\n");
  expect(await message).toBe("message");
  const both = [input.next(never), input.next(never)];
  source.end();
  expect(await Promise.all(both)).toEqual([undefined, undefined]);
});

test("reads no further than it has to, and loses nothing", async () => {
  let produced = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield `${produced++}\n`;
  }
  const input = new LineInput(endless());
  expect(await input.next(never)).toBe("0");
  await turn();
  const before = produced;
  await turn();
  expect(produced).toBe(before);
  for (let i = 1; i < 3000; i++) expect(await input.next(never)).toBe(String(i));
  expect(produced).toBeLessThan(3000 + 2 * before);
});
