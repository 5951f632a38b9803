import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromFileName, toFileName } from "./file-name.ts";

const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0x2e, 0x2f, 0x5c, 0x25, 0x2b, 0x7e, 0xd83d)), {
    minLength: 1,
    maxLength: 60,
  })
  .map((units) => String.fromCharCode(...units));

describe("file names", () => {
  test("keep the keys of the CLI readable", () => {
    expect(toFileName("-home-user-project")).toBe("-home-user-project");
    expect(toFileName("-Users-me")).toBe("-+users-me");
  });

  test.each([
    "..",
    ".",
    "/",
    "\\",
    "a/b",
    "../../etc/passwd",
    "C:\\x",
    "\u0000",
    "a.",
    "a ",
    "NUL",
    "nul",
    "com1",
    "%2e",
  ])("of %j stay in their folder", (text) => {
    const name = toFileName(text);
    expect(name).toMatch(/^[a-z0-9_%+-]+$/);
    expect(name).not.toMatch(/^(nul|com1)$/);
    expect(fromFileName(name)).toBe(text);
  });

  test("are decoded to what they were made of", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = toFileName(text);
        expect(name).toMatch(/^[a-z0-9_%+~-]{1,150}$/);
        expect(fromFileName(name)).toBe(name.includes("~") ? undefined : text);
      }),
    );
  });

  test("differ where a file system ignores case or normalises", () => {
    const texts = ["a", "A", "\u00e9", "e\u0301", "\ud83d", "\ud83e", "%61", "+a", "~"];
    expect(new Set(texts.map((text) => toFileName(text).toLowerCase())).size).toBe(texts.length);
  });

  test("of long keys are short and differ in the last unit", () => {
    const names = ["x".repeat(5_000), `${"x".repeat(4_999)}y`, `${"x".repeat(4_999)}\ud83d`].map(toFileName);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name.length).toBeLessThan(160);
  });

  test("that were never made are not decoded", () => {
    for (const name of [".DS_Store", "Thumbs.db", "%zz", "%61", "a~b"]) expect(fromFileName(name)).toBeUndefined();
  });
});
