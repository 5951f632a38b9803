import { expect, test } from "vitest";
import { statusLine } from "../screen/status-line.ts";
import { createStyle, wantsColour } from "../text/style.ts";
import { type LiveRegion, Screen } from "./screen.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out.
const modes = /\x1b\[\?(2026|25)[hl]/g;

function openScreen(
  columns: number,
  rows: number,
): { screen: Screen; output: { columns: number; rows: number; write(text: string): void }; written: string[] } {
  const written: string[] = [];
  const output = {
    columns,
    rows,
    write: (text: string) => void written.push(text.replaceAll(modes, "")),
  };
  return { screen: new Screen(output), output, written };
}

const prompt: LiveRegion = { lines: ["", "> text", "status"], cursor: { row: 1, column: 6 } };

test("prints above the live region, which it erases first", () => {
  const { screen, written } = openScreen(80, 24);
  screen.update(["one"], prompt);
  screen.update(["two", "\x1b[1mthree"], { ...prompt, cursor: undefined });
  screen.clear();
  expect(written).toEqual([
    "one\r\n\r\n> text\r\nstatus\x1b[1A\r\x1b[6C",
    "\x1b[1A\r\x1b[Jtwo\r\n\x1b[1mthree\x1b[0m\r\n\r\n> text\r\nstatus",
    "\x1b[2A\r\x1b[J",
  ]);
});

test("writes nothing where nothing has changed", () => {
  const { screen, written } = openScreen(80, 24);
  screen.update([], prompt);
  screen.update([], { lines: [...prompt.lines], cursor: { row: 1, column: 6 } });
  expect(written).toHaveLength(1);
});

test("finds its lines again in a terminal that has become narrower", () => {
  const { screen, output, written } = openScreen(80, 24);
  screen.update([], { lines: ["x".repeat(25), "y".repeat(25), "end"], cursor: { row: 1, column: 25 } });
  output.columns = 10;
  screen.clear();
  expect(written.at(-1)).toBe("\x1b[5A\r\x1b[J");
});

test("is never higher than the terminal", () => {
  const { screen, written } = openScreen(80, 4);
  screen.update([], { lines: ["1", "2", "3", "4", "5"], cursor: { row: 4, column: 1 } });
  expect(written).toEqual(["3\r\n4\r\n5\r\x1b[1C"]);
});

test.each([
  [80, "claude-opus-5-5 · mode acceptEdits · context █░░░░░░░ 4% · $0.0123"],
  [60, "opus-5-5 · acceptEdits · █░░░░░░░ 4% · $0.0123"],
  [40, "opus-5-5 · acceptEdits · 4% · $0.0123"],
  [28, "acceptEdits · 4% · $0.0123"],
  [20, "acceptEdits · 4%"],
  [8, "acceptE…"],
])("the status fits in %i columns", (width, line) => {
  const status = { model: "claude-opus-5-5", mode: "acceptEdits", contextPercent: 4, costUsd: 0.0123 };
  expect(statusLine(status, width, createStyle(false))).toBe(line);
});

test("colours are off where somebody said so, and where there are none", () => {
  expect(wantsColour({ TERM: "xterm" })).toBe(true);
  expect(wantsColour({ TERM: "xterm", NO_COLOR: "" })).toBe(true);
  expect(wantsColour({ TERM: "xterm", NO_COLOR: "0" })).toBe(false);
  expect(wantsColour({ TERM: "dumb" })).toBe(false);
});
