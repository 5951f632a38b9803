import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

test("any bytes decode as a TextDecoder decodes them that keeps a byte order mark", () => {
  const texts = fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text));
  const marks = fc.constantFrom([0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xed, 0xa0, 0x80], [0xf0, 0x9f], []);
  const bytes = fc
    .tuple(marks, fc.oneof(texts, fc.uint8Array()), marks)
    .map(([before, middle, after]) => Uint8Array.from([...before, ...middle, ...after]));
  fc.assert(
    fc.property(bytes, (value) => {
      // As a part of a larger buffer, as reads are.
      const part = Uint8Array.from([0x41, ...value, 0x41]).subarray(1, -1);
      expect(decodeText(part)).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(value));
    }),
    { numRuns: 200 },
  );
});
