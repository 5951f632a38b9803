import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFrame, FrameDecoder, type FrameValue, frameSubtype, frameType } from "./index.ts";

const jsonObject: fc.Arbitrary<FrameValue> = fc.dictionary(
  fc.oneof(fc.constantFrom("type", "subtype", "a"), fc.string({ unit: "binary" })),
  fc.jsonValue({ stringUnit: "grapheme" }),
);

/** Cuts the bytes at the given places (taken modulo the length). */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end));
}

test("any values, encoded and cut anywhere, decode to the same values", () => {
  fc.assert(
    fc.property(fc.array(jsonObject), fc.array(fc.nat()), fc.boolean(), (values, places, asText) => {
      const lines = values.map((value) => encodeFrame(value)).join("");
      const decoder = new FrameDecoder();
      const decoded: unknown[] = [];
      const chunks = asText
        ? cutAt(new Uint8Array(lines.length), places).map((chunk) =>
            lines.slice(chunk.byteOffset, chunk.byteOffset + chunk.length),
          )
        : cutAt(new TextEncoder().encode(lines), places);
      for (const chunk of chunks) for (const frame of decoder.push(chunk)) decoded.push(frame.value);
      for (const frame of decoder.end()) decoded.push(frame.value);
      expect(decoded).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))));
    }),
  );
});

test("every encoded value is one line without the separators that other readers split at", () => {
  fc.assert(
    fc.property(jsonObject, (value) => {
      const line = encodeFrame(value);
      expect(line.endsWith("\n")).toBe(true);
      expect(/[\n\r\u2028\u2029]/.test(line.slice(0, -1))).toBe(false);
    }),
  );
});

test("type and subtype are those of the parsed value", () => {
  fc.assert(
    fc.property(jsonObject, fc.constantFrom(undefined, 0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent ?? 0);
      const parsed: FrameValue = JSON.parse(text);
      expect(frameType(text)).toBe(typeof parsed.type === "string" ? parsed.type : undefined);
      expect(frameSubtype(text)).toBe(typeof parsed.subtype === "string" ? parsed.subtype : undefined);
    }),
  );
});

/** Writes a string as JSON with each character as it is or escaped. */
const writtenString = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.array(fc.boolean(), { maxLength: 12 })).map(([raw, escapes]) => {
    const units = raw.split("").map((unit, i) => {
      const plain = JSON.stringify(unit).slice(1, -1);
      return escapes[i] === true ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}` : plain;
    });
    return `"${units.join("")}"`;
  });

/** JSON text as no serializer would write it: equal keys, escaped keys, any padding. */
const writtenObject: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      writtenString(fc.oneof(fc.constantFrom("type", "subtype", "typ", "types", "\\", '"'), fc.string())),
      fc.oneof(
        writtenString(fc.oneof(fc.constantFrom("user", '{"type":"no"}', '\\"', "\\"), fc.string())),
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc.constantFrom("[]", "{}", '[{"type":"no"}]', '{"type":"no","subtype":"no"}', "-1.5e-3", "true", "null"),
      ),
      fc.constantFrom("", " ", "\r", "\t \r"),
    ),
  )
  .map((members) => `{${members.map(([key, value, pad]) => `${pad}${key}${pad}:${pad}${value}${pad}`).join(",")}}`);

/** Mostly nonsense, but each object among it counts. */
const nearlyJson: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom('"type"', '"subtype"', '"a"', ":", ",", "{", "}", "[", "]", "1", "null", " ", '"', "\\", '\\"'),
    {
      maxLength: 12,
    },
  )
  .map((tokens) => `{"type":"x",${tokens.join("")}}`);

function objectOf(text: string): FrameValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test("type and subtype are those of the parsed value, however the text was written", () => {
  fc.assert(
    fc.property(fc.oneof(writtenObject, nearlyJson), (text) => {
      const [type, subtype] = [frameType(text), frameSubtype(text)];
      const parsed = objectOf(text);
      if (parsed === undefined) return;
      expect(type).toBe(typeof parsed.type === "string" ? parsed.type : undefined);
      expect(subtype).toBe(typeof parsed.subtype === "string" ? parsed.subtype : undefined);
    }),
    { numRuns: 2000 },
  );
});

test("random bytes never crash, and cutting them elsewhere changes nothing", () => {
  const hostile = fc.oneof(
    fc.uint8Array(),
    fc
      .constantFrom(
        [0x0a],
        [0x0d],
        [0x20],
        [0x22],
        [0x5c],
        [0x7b],
        [0x7d],
        [0xef],
        [0xbb],
        [0xbf],
        [0xef, 0xbb, 0xbf],
        [0xff],
      )
      .map((bytes) => new Uint8Array(bytes)),
  );
  fc.assert(
    fc.property(
      fc.array(hostile),
      fc.array(fc.nat()),
      fc.integer({ min: 1, max: 64 }),
      (parts, places, maxLineBytes) => {
        const bytes = new Uint8Array(parts.flatMap((part) => [...part]));
        const decode = (chunks: readonly Uint8Array[]): unknown[] => {
          const decoder = new FrameDecoder({ onMalformed: "deliver", maxLineBytes });
          const seen: unknown[] = [];
          const take = (): void => {
            for (const frame of decoder)
              seen.push([frame.lineNumber, frame.byteOffset, frame.error?.code, [...frame.bytes]]);
          };
          for (const chunk of chunks) {
            decoder.push(chunk);
            take();
          }
          decoder.end();
          take();
          return seen;
        };
        expect(decode(cutAt(bytes, places))).toEqual(decode([bytes]));
      },
    ),
  );
});
