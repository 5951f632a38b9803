import { describe, expect, test } from "vitest";
import { quoteIdentifier, quoteLiteral } from "./quote.ts";
import { nameTables } from "./tables.ts";

test("a literal doubles quotes and backslashes", () => {
  expect(quoteLiteral('it\'s \\ "x"')).toBe("E'it''s \\\\ \"x\"'");
});

describe("an identifier", () => {
  test("doubles double quotes, and keeps all else", () => {
    expect(quoteIdentifier("a\"b.c'; --")).toBe('"a""b.c\'; --"');
  });

  test.each(["", "a\u0000b", "\ud83d"])("%j is refused", (name) => {
    expect(() => quoteIdentifier(name)).toThrow(TypeError);
  });

  test("is refused when Postgres would cut it", () => {
    expect(quoteIdentifier("é".repeat(31))).toBe(`"${"é".repeat(31)}"`);
    expect(() => quoteIdentifier("é".repeat(32))).toThrow(RangeError);
    expect(() => nameTables(undefined, "p".repeat(60))).toThrow(/more than the 63 bytes/);
  });
});
