import { expect, test } from "vitest";
import { decodeFrame, FrameDecoder } from "./index.ts";

test("the length is that of the line alone", () => {
  const frames = [...new FrameDecoder().push('{"a":1}\n{"text":"ü"}\n')];
  expect(frames.map(({ length }) => length)).toEqual([7, 12]);
});

test("the value is parsed once", () => {
  const frame = decodeFrame('{"a":1}');
  expect(frame.value).toBe(frame.value);
});

test.each(["type", "subtype"] as const)(
  "a %s that is no string is none, before and after the line is parsed",
  (name) => {
    const frame = decodeFrame(`{"${name}":5}`);
    expect(frame[name]).toBeUndefined();
    expect(frame.value).toEqual({ [name]: 5 });
    expect(frame[name]).toBeUndefined();
  },
);

test("a single line was not cut off by the end of a stream", () => {
  expect(decodeFrame("{broken").error).toMatchObject({ line: "{broken", truncated: false });
});
