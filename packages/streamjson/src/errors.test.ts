import { describe, expect, expectTypeOf, test } from "vitest";
import {
  AbortError,
  AlreadyConsumedError,
  FrameEncodeError,
  type FrameError,
  FrameTooLargeError,
  FrameWriteError,
  isReinsError,
  MalformedFrameError,
  ReinsError,
} from "./index.ts";

const place = { lineNumber: 3, byteOffset: 40 };
const errors = {
  AbortError: new AbortError("stop"),
  AlreadyConsumedError: new AlreadyConsumedError("This source"),
  FrameEncodeError: new FrameEncodeError("it is not a JSON object"),
  FrameTooLargeError: new FrameTooLargeError({ ...place, limitBytes: 10, seenBytes: 12, prefix: "0123456789" }),
  FrameWriteError: new FrameWriteError("the stream failed"),
  MalformedFrameError: new MalformedFrameError({ ...place, line: "banner\u0007", truncated: false }),
};

describe("every error", () => {
  test("has its name, which is no member of its own, and a code with the prefix", () => {
    for (const [name, error] of Object.entries(errors)) {
      expect(error).toBeInstanceOf(ReinsError);
      expect(String(error)).toBe(`${name}: ${error.message}`);
      expect(Object.hasOwn(error, "name")).toBe(false);
      expect(error.code).toMatch(/^REINS_[A-Z_]+$/);
      expect(error.stack).toContain(name);
    }
    expect(new Set(Object.values(errors).map((error) => error.code)).size).toBe(Object.keys(errors).length);
  });

  test("keeps the original as its cause, and has no cause without one", () => {
    const cause = new Error("original");
    expect(new FrameWriteError("the stream failed", cause).cause).toBe(cause);
    expect(new FrameEncodeError("x", cause).cause).toBe(cause);
    expect(new MalformedFrameError({ ...place, line: "", truncated: false, cause }).cause).toBe(cause);
    expect(Object.hasOwn(errors.FrameWriteError, "cause")).toBe(false);
    expect(Object.hasOwn(errors.MalformedFrameError, "cause")).toBe(false);
  });
});

test("an error of a line says where, what and what to do, in one line of text", () => {
  expect(errors.MalformedFrameError.message).toBe(
    'Line 3 (byte 40) is not a JSON object: "banner\\u0007". Look at what wrote it, or set onMalformed.',
  );
  expect(errors.FrameTooLargeError.message).toBe(
    'Line 3 (byte 40) is longer than 10 bytes (12 seen so far): "0123456789". Look at what wrote it, or raise maxLineBytes.',
  );
  const long = new MalformedFrameError({ ...place, line: "x".repeat(1e6), truncated: true });
  expect(long.message.length).toBeLessThan(250);
  expect(long.message).toContain("cut off");
  expect(long.line.length).toBe(1e6);
});

describe("isReinsError", () => {
  test("knows an error of another copy of the package by its code", () => {
    class OtherCopy extends Error {
      readonly code = "REINS_FRAME_MALFORMED";
    }
    expect(isReinsError(new OtherCopy())).toBe(true);
    expect(Object.values(errors).every(isReinsError)).toBe(true);
  });

  test("refuses other errors, and what is no error", () => {
    const others: unknown[] = [
      Object.assign(new Error("x"), { code: "ENOENT" }),
      Object.assign(new Error("x"), { code: 7 }),
      new Error("REINS_"),
      { code: "REINS_FRAME_MALFORMED" },
      "REINS_FRAME_MALFORMED",
      null,
      undefined,
    ];
    for (const other of others) expect(isReinsError(other)).toBe(false);
  });

  test("narrows to the base class", () => {
    const caught: unknown = errors.AbortError;
    if (isReinsError(caught)) expectTypeOf(caught).toEqualTypeOf<ReinsError>();
  });
});

test("a code tells the errors of a line apart", () => {
  const error: FrameError = errors.FrameTooLargeError;
  expectTypeOf<FrameError["code"]>().toEqualTypeOf<"REINS_FRAME_MALFORMED" | "REINS_FRAME_TOO_LARGE">();
  if (error.code === "REINS_FRAME_TOO_LARGE") expectTypeOf(error).toEqualTypeOf<FrameTooLargeError>();
});

test("an abort tells its reason", () => {
  const reason = new Error("the user left");
  expect(new AbortError(reason).cause).toBe(reason);
});
