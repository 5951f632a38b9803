import { expect, test } from "vitest";
import { plainLine, plainText } from "./plain-text.ts";
import { outputText, toolSummary } from "./tool-text.ts";

test("leaves no control character that a terminal would obey", () => {
  const all = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).join("");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(plainText(all)).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
  expect(plainText("a\tb\r\nc\rd\u2028e\x1b[2J\x9b\u202ef\u2066\u200f")).toBe(
    "a    b\nc␍d\ne␛[2J\ufffd\ufffdf\ufffd\ufffd",
  );
  expect(plainText("naïve 世界 👨‍👩‍👧\n")).toBe("naïve 世界 👨‍👩‍👧\n");
  expect(plainLine(" a \n  b\n")).toBe("a b");
});

test.each([
  ["Bash", { command: "ls\n-la\n", description: "List" }, "Bash ls -la"],
  ["Read", { file_path: "/a", limit: 3 }, "Read /a"],
  ["mcp__shop__sell", { item: "apples" }, 'shop: sell {"item":"apples"}'],
  ["X\x1b[2J", {}, "X␛[2J"],
  ["AskUserQuestion", { questions: [{ question: "A?" }, { question: "B?" }, 3] }, "AskUserQuestion A? B?"],
])("says of a call of %s what it is about", (name, input, line) => {
  expect(toolSummary(name, input)).toBe(line);
});

test.each([
  ["text", "text"],
  [{ stdout: "out", stderr: "err" }, "out\nerr"],
  [{ stdout: "", stderr: "" }, ""],
  [[{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }], "a\nb"],
  [{ content: [{ type: "text", text: "a" }] }, "a"],
  [{ filenames: ["a"] }, undefined],
  [null, undefined],
])("finds the text in what a tool gave: %j", (output, text) => {
  expect(outputText(output)).toBe(text);
});
