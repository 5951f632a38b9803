import { expect, test } from "vitest";
import { jsonLine, printable, printableLine } from "./printable.ts";

test("what drives a terminal becomes visible, and text stays as it is", () => {
  expect(printable("\u001b[2J\u0007 \u009b1m \u007f \r over")).toBe("␛[2J␇ \\u{9b}1m ␡ ␍ over");
  expect(printable("abc\u202etxt.exe\u2066")).toBe("abc\\u{202e}txt.exe\\u{2066}");
  expect(printable("two\r\nlines\n\tÄ 漢 🙂")).toBe("two\nlines\n\tÄ 漢 🙂");
});

test("a line has no line feeds, and no more characters than it may", () => {
  expect(printableLine(" a\n\tb  c ")).toBe("a b c");
  expect(printableLine("abcdef", 4)).toBe("abc…");
  expect(printableLine("abcd", 4)).toBe("abcd");
  expect(printableLine("ab🙂🙂", 4)).toBe("ab…");
  expect(printableLine(`${" ".repeat(100)}x`, 5)).toBe("…");
});

test("JSON is the same value, with nothing in it that drives a terminal", () => {
  const value = { text: "\u001b]0;x\u0007 \u009b \u007f \u2028 \u202e" };
  expect(JSON.parse(jsonLine(value))).toEqual(value);
  expect(jsonLine(value)).toMatch(/^[\x20-\x7e]+\n$/);
  expect(jsonLine(undefined)).toBe("null\n");
});
