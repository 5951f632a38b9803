import { expect, test } from "vitest";
import { widthOf } from "./width.ts";
import { wrapVerbatim } from "./wrap.ts";

test.each([
  ["", 5, [""]],
  ["12345", 5, ["12345"]],
  ["123456", 5, ["12345", "6"]],
  ["  a  b \n\nc", 5, ["  a  ", "b ", "", "c"]],
  ["äöüß€x", 5, ["äöüß€", "x"]],
  ["日本語", 5, ["日本", "語"]],
  ["👩‍👩‍👧👩‍👩‍👧", 3, ["👩‍👩‍👧", "👩‍👩‍👧"]],
  ["日本", 1, ["日", "本"]],
])("cuts %j for %i columns, and keeps all of it", (text, width, lines) => {
  expect(wrapVerbatim(text, width)).toEqual(lines);
});

test.each(["Größe", "Größe über alles, schön und gut. ", "日本語", "👩‍👩‍👧", "a"])(
  "takes a line of very many %j",
  (text) => {
    const line = text.repeat(50_000 / text.length);
    const lines = wrapVerbatim(line, 80);
    expect(lines.join("") === line).toBe(true);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  },
);
