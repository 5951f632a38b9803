import { expect, test } from "vitest";
import { Editor } from "./editor.ts";

/** Presses keys: names, or text after a colon. Shows the text with a bar where the cursor is. */
function press(editor: Editor, ...keys: readonly string[]): string {
  for (const key of keys)
    editor.press(key.startsWith(":") ? { type: "text", text: key.slice(1) } : { type: "key", name: key });
  return shown(editor);
}

function shown(editor: Editor): string {
  const { lines, row, column } = editor.view(1000);
  // Columns are characters here: nothing wide is in these tests but where they say so.
  return lines.map((line, i) => (i === row ? `${line.slice(0, column)}|${line.slice(column)}` : line)).join("\n");
}

test.each([
  [["ctrl-a", ":x"], "x|one two.three"],
  [["ctrl-a", "ctrl-e", ":x"], "one two.threex|"],
  [["left", "left", "ctrl-k"], "one two.thr|"],
  [["left", "left", "ctrl-u"], "|ee"],
  [["ctrl-w"], "one |"],
  [["ctrl-w", "ctrl-w"], "|"],
  [["alt-backspace"], "one two.|"],
  [["ctrl-left"], "one two.|three"],
  [["alt-b", "alt-b", "alt-b", "alt-b"], "|one two.three"],
  [["home", "ctrl-right"], "one| two.three"],
  [["home", "alt-f", "alt-f"], "one two|.three"],
  [["home", "alt-d"], "| two.three"],
  [["home", "delete", "ctrl-d"], "|e two.three"],
  [["home", "right", "backspace"], "|ne two.three"],
  [["backspace", "ctrl-t"], "one two.ther|"],
  [["home", "left", "backspace"], "|one two.three"],
])("edits by %j", (keys, result) => {
  expect(press(new Editor("one two.three"), ...keys)).toBe(result);
});

test("moves and deletes by characters as a reader counts them", () => {
  const editor = new Editor("a👨‍👩‍👧é世");
  expect(editor.view(80).column).toBe(6);
  press(editor, "left", "backspace", "backspace", ":é");
  expect(editor.text).toBe("aé世");
});

test("joins a mark with the character before it", () => {
  const editor = new Editor();
  press(editor, ":e", ":\u0301", "backspace");
  expect(editor.text).toBe("");
});

test("begins a new line with a backslash before Enter, Alt-Enter and Ctrl-J, and submits with Enter", () => {
  const editor = new Editor();
  expect(press(editor, ":a\\", "enter", ":b", "alt-enter", ":c", "ctrl-j", ":d")).toBe("a\nb\nc\nd|");
  expect(editor.press({ type: "key", name: "enter" })).toBe("submit");
  expect(editor.text).toBe("a\nb\nc\nd");
  // In the middle a backslash is one.
  press(editor, ":\\", ":x", "left");
  expect(editor.press({ type: "key", name: "enter" })).toBe("submit");
});

test("moves between lines, and keeps the column where there is one", () => {
  const editor = new Editor("long line\nx\nlast one");
  expect(press(editor, "left", "up")).toBe("long line\nx|\nlast one");
  expect(press(editor, "up")).toBe("l|ong line\nx\nlast one");
  expect(press(editor, "end", "down", "down", "ctrl-a")).toBe("long line\nx\n|last one");
  expect(press(editor, "ctrl-u", "backspace", "ctrl-u")).toBe("long line\n|last one");
});

test("goes through the history from the first and the last line, and comes back to the draft", () => {
  const editor = new Editor();
  for (const text of ["one", "two\nlines", "two\nlines", "  "]) editor.remember(text);
  expect(press(editor, ":draft", "up")).toBe("two\nlines|");
  expect(press(editor, "up")).toBe("two|\nlines");
  expect(press(editor, "up")).toBe("one|");
  expect(press(editor, "up")).toBe("one|");
  expect(press(editor, "down", "down")).toBe("draft|");
  expect(press(editor, "down")).toBe("draft|");
});

test("makes control characters of a paste visible, and keeps its newlines", () => {
  const editor = new Editor();
  editor.press({ type: "paste", text: "a\tb\r\nc\x1b[31md\x07\u202e" });
  expect(editor.text).toBe("a    b\nc␛[31md␇\ufffd");
});

test("wraps at the width, never in the middle of a wide character", () => {
  const editor = new Editor("abc世界d");
  expect(editor.view(4)).toEqual({ lines: ["abc", "世界", "d"], row: 2, column: 1 });
  press(editor, "home", "right", "right", "right");
  expect(editor.view(4)).toMatchObject({ row: 1, column: 0 });
  expect(new Editor("abcd").view(4)).toEqual({ lines: ["abcd"], row: 0, column: 4 });
});

test("says of a key that means nothing here that it does", () => {
  const editor = new Editor("a");
  expect(editor.press({ type: "key", name: "ctrl-g" })).toBeUndefined();
  expect(editor.press({ type: "key", name: "constructor" })).toBeUndefined();
});
