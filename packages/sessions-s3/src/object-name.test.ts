import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromSegment, toSegment } from "./object-name.ts";

describe("a character of a key", () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const odd = ["é", "e\u0301", "ÿ", "\u0100", "\u2028", "\ufeff", "\uffff", "\ud83d", "\ude00", "😀", "․", "／"];
  test.each([...ascii, ...odd].map((text) => [JSON.stringify(text), text]))(
    "%s becomes what nobody escapes, and comes back",
    (_, text) => {
      const segment = toSegment(text);
      expect(segment).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(fromSegment(segment)).toBe(text);
      expect(toSegment(`a${text}b`)).toBe(`a${segment}b`);
    },
  );
});

test.each([".", "..", "../..", "a/b", "/", "%2f", "_2f", "__", "_", "a_x", `_x${"0".repeat(64)}`, "con", "main"])(
  "%j comes back as it was",
  (text) => {
    expect(toSegment(text)).not.toMatch(/[./%]/);
    expect(fromSegment(toSegment(text))).toBe(text);
  },
);

test("long names keep their beginning, differ, and say that they cannot be decoded", () => {
  const [first, second] = [toSegment("x".repeat(250)), toSegment(`${"x".repeat(249)}y`)];
  expect(first).toMatch(/^x{60}_x[0-9a-f]{64}$/);
  expect(first).not.toBe(second);
  // Cut within an escape, the mark would look like a part of a short name.
  const hashed = toSegment(`${"x".repeat(59)}${"_".repeat(100)}`);
  expect(hashed).toMatch(/^x{59}_x/);
  expect(fromSegment(first)).toBeUndefined();
  expect(toSegment("é".repeat(500)).length).toBeLessThanOrEqual(150);
});

test("what is no segment of this package is not decoded", () => {
  for (const segment of ["_zz", "_", "a_", "_u12", "_41", "a/b", "_2F", "é"])
    expect(fromSegment(segment)).toBeUndefined();
});

test("different strings have different segments, of characters that nobody escapes", () => {
  const strings = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(strings, strings, (a, b) => {
      const segment = toSegment(a);
      expect(segment).toMatch(/^[A-Za-z0-9_-]{1,150}$/);
      expect(segment === toSegment(b)).toBe(a === b);
      if (a.length < 25) expect(fromSegment(segment)).toBe(a);
    }),
  );
});
