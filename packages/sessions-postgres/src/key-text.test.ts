import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromKeyText, toKeyText, toUuidText } from "./key-text.ts";

describe("the text of a part of a key", () => {
  test.each([
    ["-home-user-my.app", "-home-user-my.app"],
    ["subagents/agent-a", "subagents/agent-a"],
    ["😀 é %'\"", "😀 é %'\""],
    ["C:\\Users", "C:\\\\Users"],
    ["a\u0000b", "a\\u0000b"],
    ["a\nb", "a\\u000ab"],
    ["\ud83d", "\\ud83d"],
    ["\ude00\ud83d", "\\ude00\\ud83d"],
    ["\\ud83d", "\\\\ud83d"],
  ])("of %j is %j", (part, text) => {
    expect(toKeyText(part)).toBe(text);
    expect(fromKeyText(text)).toBe(part);
  });

  test("leads back to the part, and holds nothing that Postgres cannot", () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    const special = fc.constantFrom("\\", "\u0000", "\n", "\ud800", "\udfff", "u0000");
    const part = fc.array(fc.oneof(unit, special)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(part, (value) => {
        const text = toKeyText(value);
        expect(fromKeyText(text)).toBe(value);
        expect(text).not.toMatch(/[\0\n\p{Cs}]/u);
      }),
    );
  });
});

describe("the text of a uuid", () => {
  test("is that of a part of a key", () => {
    expect(toUuidText("a\nb")).toBe("a\\u000ab");
  });

  test("is a hash when it is too long for an index, which no short uuid can have", () => {
    const long = toUuidText("x".repeat(501));
    expect(long).toMatch(/^\\h[0-9a-f]{64}$/);
    expect(toUuidText("y".repeat(501))).not.toBe(long);
    expect(toUuidText(long)).not.toBe(long);
    expect(toUuidText("x".repeat(500))).toBe("x".repeat(500));
  });
});
