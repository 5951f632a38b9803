import { expect, test } from "vitest";
import { decodeFrame, encodeFrame, FrameEncodeError, type FrameValue } from "./index.ts";

test("writes one line and escapes the separators", () => {
  const line = encodeFrame({ type: "user", text: "a\n\u0085\u2028\u2029" });
  expect(line).toBe('{"type":"user","text":"a\\n\\u0085\\u2028\\u2029"}\n');
  expect(decodeFrame(line).value).toEqual({ type: "user", text: "a\n\u0085\u2028\u2029" });
});

test.each(["\u0085", "\u2028", "\u2029"])("escapes the separator %j also where it is the only one", (separator) => {
  const line = encodeFrame({ type: "user", text: `a${separator}b` });
  expect(line).toMatch(/^\{"type":"user","text":"a\\u[0-9a-f]{4}b"\}\n$/);
  expect(decodeFrame(line).value).toEqual({ type: "user", text: `a${separator}b` });
});

test("leaves out members that are undefined", () => {
  expect(encodeFrame({ type: "user", uuid: undefined })).toBe('{"type":"user"}\n');
});

test("refuses what JSON cannot carry, and names the member", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const bad: unknown[] = [
    cyclic,
    { n: 1n },
    { n: Number.NaN },
    { n: Number.POSITIVE_INFINITY },
    { f: () => {} },
    { s: Symbol("s") },
    { a: [1, undefined] },
    [],
    null,
    undefined,
    "text",
    1,
    { toJSON: () => "text" },
    { toJSON: () => undefined },
    {
      get x(): never {
        throw new Error("getter");
      },
    },
  ];
  for (const value of bad) {
    // These are what a caller without types could pass.
    expect(() => encodeFrame(value as FrameValue)).toThrow(FrameEncodeError);
  }
  expect(() => encodeFrame({ a: { limit: Number.NaN } })).toThrow(/"limit" is NaN/);
  // Not with its source, which may be long.
  expect(() => encodeFrame({ f: () => "source" })).toThrow(/"f" is a function/);
});

test("keeps the error of a getter as the cause", () => {
  const cause = new Error("getter");
  const value = {
    get x(): never {
      throw cause;
    },
  };
  expect(() => encodeFrame(value)).toThrow(expect.objectContaining({ cause }));
});

test("keeps the parser's error as the cause when a frame that was read is broken", () => {
  const frame = decodeFrame("{broken");
  expect(() => encodeFrame(frame)).toThrow(expect.objectContaining({ cause: frame.error }));
});

test("refuses a value that is nested deeper than the stack", () => {
  const deep: FrameValue = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  expect(() => encodeFrame(deep)).toThrow(FrameEncodeError);
});

test("writes a frame where its object is expected", () => {
  expect(encodeFrame({ type: "wrapped", frame: decodeFrame('{"a":1}') })).toBe('{"type":"wrapped","frame":{"a":1}}\n');
});

test("writes a frame that was read as it was, on one line", () => {
  expect(encodeFrame(decodeFrame('{"a":\r1}\r\n'))).toBe('{"a": 1}\n');
  expect(encodeFrame(decodeFrame(' {"b" : 1,"a":"\u2028"}\r\n'))).toBe('{"b" : 1,"a":"\\u2028"}\n');
});

test("refuses a frame that was read and is broken", () => {
  expect(() => encodeFrame(decodeFrame('{"type":"user"'))).toThrow(FrameEncodeError);
});

test("carries lone surrogates as escapes", () => {
  const line = encodeFrame({ text: "\ud800" });
  expect(line).toBe('{"text":"\\ud800"}\n');
  expect(decodeFrame(line).value).toEqual({ text: "\ud800" });
});

test("a line with a second line in it is no frame", () => {
  expect(() => decodeFrame('{"a":1}\n{"b":2}')).toThrow(TypeError);
});
