import { describe, expect, test } from "vitest";
import { Frame, FrameDecoder, type FrameDecoderOptions, FrameTooLargeError, MalformedFrameError } from "./index.ts";

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decodeAll(chunks: readonly (Uint8Array | string)[], options?: FrameDecoderOptions): Frame[] {
  const decoder = new FrameDecoder(options);
  const frames: Frame[] = [];
  for (const chunk of chunks) frames.push(...decoder.push(chunk));
  frames.push(...decoder.end());
  return frames;
}

function valuesOf(chunks: readonly (Uint8Array | string)[]): unknown[] {
  return decodeAll(chunks).map((frame) => frame.value);
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

function errorOf(decoder: FrameDecoder): unknown {
  try {
    for (const _ of decoder);
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("lines", () => {
  test("come out whole when one chunk holds several", () => {
    expect(valuesOf(['{"a":1}\n{"a":2}\n'])).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("come out whole when they are cut at every byte", () => {
    const bytes = bytesOf('{"text":"ß€😀漢字👨‍👩‍👧é"}\r\n{"b":[1]}');
    for (const size of [1, 2, 3, 5, 7]) {
      expect(valuesOf(cut(bytes, size))).toEqual([{ text: "ß€😀漢字👨‍👩‍👧é" }, { b: [1] }]);
    }
    for (let at = 0; at <= bytes.length; at++) {
      expect(valuesOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([{ text: "ß€😀漢字👨‍👩‍👧é" }, { b: [1] }]);
    }
  });

  test("end at LF only", () => {
    const text = "\u2028 \u2029 \u0085";
    expect(valuesOf([`{"text":"${text}"}\n`])).toEqual([{ text }]);
    // VT, FF and a lone CR between two objects do not make two lines of them.
    for (const separator of ["\v", "\f", "\r", "\u2028", "\u2029", "\u0085"]) {
      expect(() => decodeAll([`{"a":1}${separator}{"a":2}\n`])).toThrow(MalformedFrameError);
    }
  });

  test("may end with CRLF, be padded, or be blank", () => {
    expect(valuesOf(['\n\r\n  \t\n {"a":1} \r\n\n'])).toEqual([{ a: 1 }]);
  });

  test("may follow a byte order mark, in one chunk or in three", () => {
    const bytes = bytesOf('\uFEFF{"a":1}\n{"a":2}\n');
    expect(valuesOf([bytes])).toEqual([{ a: 1 }, { a: 2 }]);
    expect(valuesOf(cut(bytes, 1))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("are not excused a byte order mark further on", () => {
    expect(() => decodeAll(['{"a":1}\n\uFEFF{"a":2}\n'])).toThrow(MalformedFrameError);
    // Where a chunk begins with it, and the text of that chunk is decoded on its own.
    expect(() => decodeAll(['{"a":1}\n', '\uFEFF{"a":2}\n'])).toThrow(MalformedFrameError);
  });

  test("are delivered by end() when the last has no newline, and once only", () => {
    const decoder = new FrameDecoder();
    expect([...decoder.push('{"a":1}')]).toEqual([]);
    expect([...decoder.end()].map((frame) => frame.value)).toEqual([{ a: 1 }]);
    expect([...decoder.end()]).toEqual([]);
  });

  test("survive string chunks that are cut inside a surrogate pair", () => {
    // The first and the last character that is a pair, and one between.
    for (const text of ["a\u{10000}b", "a😀b", "a\u{10ffff}b"]) {
      const line = `{"text":"${text}"}\n`;
      for (let at = 0; at <= line.length; at++) {
        expect(valuesOf([line.slice(0, at), line.slice(at)])).toEqual([{ text }]);
      }
    }
  });

  test("read half a surrogate pair as U+FFFD where its other half does not follow", () => {
    const half = "\ud83d";
    expect(valuesOf([`{"a":"${half}`, '"}\n'])).toEqual([{ a: "\uFFFD" }]);
    expect(valuesOf([`{"a":"${half}`, bytesOf('"}\n'), '{"a":1}\n'])).toEqual([{ a: "\uFFFD" }, { a: 1 }]);
    expect(decodeAll([`{"a":"${half}`], { onMalformed: "deliver" })[0]?.text).toBe('{"a":"\uFFFD');
  });

  test("read invalid UTF-8 as U+FFFD and keep the bytes", () => {
    const bytes = new Uint8Array([...bytesOf('{"a":"'), 0xff, 0xc3, ...bytesOf('"}'), 0x0a]);
    const [frame] = decodeAll([bytes]);
    expect(frame?.value).toEqual({ a: "\uFFFD\uFFFD" });
    expect(frame?.bytes).toEqual(bytes.subarray(0, -1));
  });

  test("that wait in a quarter of a million chunks are taken in linear time", () => {
    const decoder = new FrameDecoder();
    const count = 250_000;
    for (let i = 0; i < count; i++) decoder.push(`{"i":${i}}\n`);
    let expected = 0;
    for (const frame of decoder) {
      if (frame.value["i"] !== expected) throw new Error(`frame ${expected} is ${frame.text}`);
      expected++;
    }
    expect(expected).toBe(count);
  });

  test("that are pushed while others are taken come behind them", () => {
    const decoder = new FrameDecoder().push('{"i":0}\n{"i":1}\n').push('{"i":2}\n');
    const seen: unknown[] = [];
    for (const frame of decoder) {
      seen.push(frame.value["i"]);
      if (seen.length === 1) decoder.push('{"i":3}\n');
    }
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  test("of 64 MB in small chunks take linear time and memory", () => {
    const decoder = new FrameDecoder();
    const piece = bytesOf("x".repeat(64 * 1024));
    for (const _ of decoder.push('{"text":"'));
    for (let i = 0; i < 1000; i++) for (const _ of decoder.push(piece));
    const [frame] = [...decoder.push('"}\n')];
    expect(String(frame?.value["text"]).length).toBe(64 * 1024 * 1000);
  });
});

describe("frames", () => {
  test("give the exact text and bytes of their line", () => {
    const lines = ['{"a":"ß"}', ' {"b": "\u2028"}\r', '{"c":1}'];
    const frames = decodeAll([`${lines.join("\n")}\n`]);
    expect(frames.map((frame) => frame.text)).toEqual(lines);
    expect(frames.map((frame) => new TextDecoder().decode(frame.bytes))).toEqual(lines);
  });

  test("know their line and offset, also behind blank lines, long lines and chunk borders", () => {
    const input = bytesOf(`\uFEFF{"a":"ß"}\n\n{"long":"${"x".repeat(200)}"}\n{"b":1}\n{"c":1}`);
    for (const size of [1, 4, 1000]) {
      const frames = decodeAll(cut(input, size), { onMalformed: "deliver", maxLineBytes: 100 });
      expect(frames.map((frame) => [frame.lineNumber, frame.byteOffset])).toEqual([
        [1, 3],
        [3, 15],
        [4, 227],
        [5, 235],
      ]);
    }
  });

  test("know their place also behind end()", () => {
    const decoder = new FrameDecoder();
    const places = ['{"a":1}', '{"a":2}\n', '{"a":3}'].flatMap((message) =>
      [...decoder.push(message).end()].map((frame) => [frame.lineNumber, frame.byteOffset]),
    );
    expect(places).toEqual([
      [1, 0],
      [2, 7],
      [3, 15],
    ]);
  });

  test("cannot be made by hand", () => {
    // @ts-expect-error The constructor is private.
    expect(() => new Frame()).toThrow(TypeError);
  });

  test("are parsed once", () => {
    const [frame] = decodeAll(['{"a":{}}\n']);
    expect(frame?.value).toBe(frame?.value);
  });
});

describe("a line that is no JSON object", () => {
  const bad = ["null", "1", '"text"', "[1]", "true", "{bad", "{} {}", "banner", '{"a":1', "\u0000"];

  test("throws with its place and text, and decoding goes on behind it", () => {
    for (const line of bad) {
      const decoder = new FrameDecoder().push(`{"a":1}\n${line}\n{"a":2}\n`);
      expect(decoder.next().value?.value).toEqual({ a: 1 });
      const error = errorOf(decoder);
      expect(error).toBeInstanceOf(MalformedFrameError);
      expect(error).toMatchObject({
        line,
        lineNumber: 2,
        byteOffset: 8,
        truncated: false,
        code: "REINS_FRAME_MALFORMED",
      });
      expect([...decoder].map((frame) => frame.value)).toEqual([{ a: 2 }]);
    }
  });

  test("carries the parser's error as its cause", () => {
    expect(errorOf(new FrameDecoder().push("{bad\n"))).toMatchObject({ cause: expect.any(SyntaxError) });
  });

  test("is a frame with an error under the policy deliver", () => {
    const frames = decodeAll(['{"a":1}\n', "banner\n", "null\n", '{"a":2}\n'], { onMalformed: "deliver" });
    expect(frames.map((frame) => frame.error?.code)).toEqual([
      undefined,
      "REINS_FRAME_MALFORMED",
      "REINS_FRAME_MALFORMED",
      undefined,
    ]);
    expect(frames[1]?.text).toBe("banner");
    expect(() => frames[1]?.value).toThrow(MalformedFrameError);
  });

  test("is reported and passed over under the policy skip", () => {
    const skipped: string[] = [];
    const frames = decodeAll(["banner\n", '{"a":1}\n', "null\n"], {
      onMalformed: "skip",
      onSkip: (error) => skipped.push(error instanceof MalformedFrameError ? error.line : error.prefix),
    });
    expect(frames.map((frame) => frame.value)).toEqual([{ a: 1 }]);
    expect(skipped).toEqual(["banner", "null"]);
  });

  test("does not stop the decoder when the report of it throws", () => {
    const decoder = new FrameDecoder({
      onMalformed: "skip",
      onSkip: () => {
        throw new Error("report failed");
      },
    }).push('banner\n{"a":1}\n');
    expect(() => decoder.next()).toThrow("report failed");
    expect([...decoder].map((frame) => frame.value)).toEqual([{ a: 1 }]);
  });

  test("is marked as truncated when the input ended inside it", () => {
    const decoder = new FrameDecoder();
    expect([...decoder.push('{"a":1}\n{"b":')].length).toBe(1);
    expect(errorOf(decoder.end())).toMatchObject({ truncated: true, line: '{"b":' });
  });
});

describe("a line over the limit", () => {
  const long = `{"text":"${"x".repeat(5000)}"}`;

  test("throws with the limit, the size seen and a prefix, and decoding goes on at the next newline", () => {
    for (const size of [1, 7, 4096, 100_000]) {
      const decoder = new FrameDecoder({ maxLineBytes: 2000 });
      const values: unknown[] = [];
      const errors: unknown[] = [];
      for (const chunk of [...cut(bytesOf(`{"a":1}\n${long}\n{"a":2}\n`), size)]) {
        decoder.push(chunk);
        for (let done = false; !done; ) {
          try {
            for (const frame of decoder) values.push(frame.value);
            done = true;
          } catch (error) {
            errors.push(error);
          }
        }
      }
      expect(values).toEqual([{ a: 1 }, { a: 2 }]);
      expect(errors).toHaveLength(1);
      const [error] = errors;
      expect(error).toBeInstanceOf(FrameTooLargeError);
      expect(error).toMatchObject({ limitBytes: 2000, lineNumber: 2, byteOffset: 8, prefix: long.slice(0, 1024) });
      expect(error instanceof FrameTooLargeError && error.seenBytes > 2000).toBe(true);
    }
  });

  test("is a frame with an error under the policy deliver", () => {
    const frames = decodeAll([`${long}\n{"a":1}\n`], { onMalformed: "deliver", maxLineBytes: 2000 });
    expect(frames.map((frame) => frame.error?.code)).toEqual(["REINS_FRAME_TOO_LARGE", undefined]);
  });

  test("is reported before it ends, and keeps no memory", () => {
    const decoder = new FrameDecoder({ maxLineBytes: 2000 });
    expect(errorOf(decoder.push(long.slice(0, 3000)))).toBeInstanceOf(FrameTooLargeError);
    expect([...decoder.push("more")]).toEqual([]);
    expect([...decoder.end()]).toEqual([]);
    expect([...decoder.push('{"a":1}\n')].map((frame) => frame.value)).toEqual([{ a: 1 }]);
  });

  test("keeps its beginning, byte for byte and in a copy, however it was cut", () => {
    const head = new Uint8Array(1024).fill(0xff);
    const line = new Uint8Array(5000).fill(0xff);
    line[4999] = 0x0a;
    for (const chunks of [[line], cut(line, 1), cut(line, 700)]) {
      const [frame] = decodeAll(chunks, { onMalformed: "deliver", maxLineBytes: 3000 });
      expect(frame?.bytes).toEqual(head);
      expect(frame?.bytes.buffer.byteLength).toBe(1024);
      expect(frame?.text).toBe("\uFFFD".repeat(1024));
      expect(frame?.error).toMatchObject({ prefix: frame?.text });
      expect(frame?.length).toBe(1024);
    }
  });

  test("keeps no more of it than the limit", () => {
    const line = bytesOf("x".repeat(50));
    for (const size of [1, 20, 100]) {
      const [frame] = decodeAll(cut(line, size), { onMalformed: "deliver", maxLineBytes: 10 });
      expect(frame?.text).toBe("x".repeat(10));
    }
  });

  test("is one also when it is blank, or the byte order mark makes it so", () => {
    for (const line of [" ".repeat(11), "\uFEFF12345678"]) {
      for (const size of [1, 4, 100]) {
        const frames = decodeAll(cut(bytesOf(`${line}\n{"a":1}\n`), size), {
          onMalformed: "deliver",
          maxLineBytes: 10,
        });
        expect(frames.map((frame) => frame.error?.code)).toEqual(["REINS_FRAME_TOO_LARGE", undefined]);
      }
    }
  });

  test("does not take the lines around it along, in a chunk that is larger than the limit", () => {
    const lines = ['{"a":1}', "", '{"a":2}', long, '{"a":3}', "x".repeat(3000), '{"a":4}'];
    const frames = decodeAll([lines.join("\n")], { onMalformed: "deliver", maxLineBytes: 2000 });
    expect(
      frames.map((frame) => [frame.lineNumber, frame.error === undefined ? frame.text : frame.error.code]),
    ).toEqual([
      [1, '{"a":1}'],
      [3, '{"a":2}'],
      [4, "REINS_FRAME_TOO_LARGE"],
      [5, '{"a":3}'],
      [6, "REINS_FRAME_TOO_LARGE"],
      [7, '{"a":4}'],
    ]);
    expect(frames.map((frame) => frame.byteOffset)).toEqual([0, 9, 17, 5029, 5037, 8038]);
  });

  test("is counted in bytes of UTF-8, exactly", () => {
    const line = `{"t":"${"€".repeat(10)}"}`;
    expect(bytesOf(line).length).toBe(38);
    expect(decodeAll([`${line}\n`], { maxLineBytes: 38 })).toHaveLength(1);
    expect(() => decodeAll([`${line}\n`], { maxLineBytes: 37 })).toThrow(FrameTooLargeError);
  });

  test("refuses a limit that is none", () => {
    expect(() => new FrameDecoder({ maxLineBytes: 0 })).toThrow(RangeError);
    expect(() => new FrameDecoder({ maxLineBytes: Number.NaN })).toThrow(RangeError);
  });
});

describe("decodeText", () => {
  test("is given whole lines of at most 64 KiB together, and longer ones alone, without the byte order mark", () => {
    const given: number[] = [];
    const decodeText = (bytes: Uint8Array) => {
      given.push(bytes.length);
      return new TextDecoder().decode(bytes).replaceAll("x", "y");
    };
    const decoder = new FrameDecoder({ decodeText });
    const line = `${JSON.stringify({ pad: "x".repeat(29_989) })}\n`;
    const long = `${JSON.stringify({ pad: "x".repeat(99_990) })}\n`;
    const frames = [...decoder.push(new TextEncoder().encode(`\ufeff${line.repeat(3)}${long}${line}`))];

    expect(given).toEqual([29_999 + 30_000, 29_999, 100_000, 29_999]);
    expect(frames.map(({ lineNumber, byteOffset }) => [lineNumber, byteOffset])).toEqual([
      [1, 3],
      [2, 30_003],
      [3, 60_003],
      [4, 90_003],
      [5, 190_004],
    ]);
    expect(frames.map(({ value }) => value["pad"])).toEqual([29_989, 29_989, 29_989, 99_990, 29_989].map(ys));
    expect(frames[4]?.bytes).toEqual(new TextEncoder().encode(line.slice(0, -1)));
  });
});

function ys(count: number): string {
  return "y".repeat(count);
}

test("leaving the loop keeps the frames that were not taken", () => {
  const decoder = new FrameDecoder().push('{"a":1}\n{"a":2}\n');
  for (const frame of decoder) {
    expect(frame.value).toEqual({ a: 1 });
    break;
  }
  expect([...decoder.push('{"a":3}\n')].map((frame) => frame.value)).toEqual([{ a: 2 }, { a: 3 }]);
});
