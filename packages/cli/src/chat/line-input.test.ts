import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LineInput } from "./line-input.ts";

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("what was typed ahead is a message, and no answer to a question that came later", async () => {
  const source = new PassThrough();
  const input = new LineInput(source);
  source.write("message\ny\n");
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
  input.close();
  expect(await third).toBe(undefined);
});
