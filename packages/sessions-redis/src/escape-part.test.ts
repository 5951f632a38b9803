import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapePart, unescapePart } from "./escape-part.ts";

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const isKept = (character: string): boolean => /[A-Za-z0-9_\-./]/.test(character);

describe("of ASCII", () => {
  test.each(ascii.map((character) => [JSON.stringify(character), character]))(
    "%s is kept or escaped, and read back",
    (_name, character) => {
      const hex = character.charCodeAt(0).toString(16).padStart(2, "0");
      expect(escapePart(`a${character}b`)).toBe(isKept(character) ? `a${character}b` : `a%${hex}b`);
      expect(unescapePart(escapePart(`a${character}b`))).toBe(`a${character}b`);
    },
  );
});

test.each([
  ["é", "é"],
  ["e\u0301", "e\u0301"],
  ["\u0080", "\u0080"],
  ["\u2028", "\u2028"],
  ["\uffff", "\uffff"],
  ["😀", "😀"],
  ["\ud83d", "%ud83d"],
  ["\ude00", "%ude00"],
  ["\ude00\ud83d", "%ude00%ud83d"],
  ["😀\ud83d😀", "😀%ud83d😀"],
  ["%", "%25"],
  ["%25", "%2525"],
  ["%ud83d", "%25ud83d"],
  ["{a}:*?[b]\\", "%7ba%7d%3a%2a%3f%5bb%5d%5c"],
])("%j becomes %j", (part, escaped) => {
  expect(escapePart(part)).toBe(escaped);
  expect(unescapePart(escaped)).toBe(part);
});

test("any text is read back, and is well-formed when it is escaped", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }),
      (text, units) => {
        const part = text + String.fromCharCode(...units);
        expect(unescapePart(escapePart(part))).toBe(part);
        expect(Buffer.from(escapePart(part), "utf8").toString("utf8")).toBe(escapePart(part));
      },
    ),
  );
});
