import { expect, test } from "vitest";
import { TextLines } from "./text-lines.ts";

function linesOf(...chunks: string[]): string[] {
  const seen: string[] = [];
  const lines = new TextLines((line) => seen.push(line));
  for (const chunk of chunks) lines.add(chunk);
  lines.end();
  return seen;
}

test("lines are whole, however they come, and without their ends", () => {
  expect(linesOf("a\nb", "c\r\n", "d  \n", "e")).toEqual(["a", "bc", "d", "e"]);
  expect(linesOf("a", "", "b", "\n")).toEqual(["ab"]);
});

test("blank lines are dropped, and white space before a line is kept", () => {
  expect(linesOf("\n \n  at x\n\n")).toEqual(["  at x"]);
});

test("a line without end is told in pieces", () => {
  const pieces = linesOf(...Array.from({ length: 10 }, () => "x".repeat(50_000)));
  expect(pieces.join("")).toHaveLength(500_000);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(115_536);
});
