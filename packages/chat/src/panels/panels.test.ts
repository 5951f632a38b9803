import type { PromptRequest, PromptResponse } from "@reins/runtime";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { Key } from "../terminal/keys.ts";
import { createStyle } from "../text/style.ts";
import { ChoicePanel } from "./choice-panel.ts";
import type { Panel } from "./panel.ts";
import { answerPrompt } from "./questions.ts";

const style = createStyle(false);

function keyOf(name: string): Key {
  return name.startsWith(":") ? { type: "text", text: name.slice(1) } : { type: "key", name };
}

function linesOf(panel: Panel, width = 60, height = 20): string[] {
  const { lines } = panel.view({ width, height, style });
  for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
  return [...lines];
}

/** Answers a prompt by keys, panel by panel; gives the answer and what was shown. */
async function answer(
  request: Pick<PromptRequest, "type"> & { readonly message?: string; readonly metadata?: object },
  panels: readonly (readonly string[])[],
  width = 60,
): Promise<{ readonly response: PromptResponse; readonly shown: string[][] }> {
  const rest = [...panels];
  const shown: string[][] = [];
  const response = await answerPrompt(
    {
      type: request.type,
      message: request.message ?? "Allow it?",
      metadata: { working_directory: "/", ...request.metadata },
      signal: new AbortController().signal,
    },
    (make) =>
      new Promise((resolve) => {
        const panel = make(resolve);
        shown.push(linesOf(panel, width));
        for (const key of rest.shift() ?? []) panel.press(keyOf(key));
      }),
  );
  expect(rest).toEqual([]);
  return { response, shown };
}

const bash = { tool_name: "Bash", tool_input: { command: "rm -r build\x1b[8m && echo" } };

describe("a permission", () => {
  test.each<[string, readonly (readonly string[])[], PromptResponse]>([
    ["y", [[":y"]], { value: true }],
    ["Y", [[":Y"]], { value: true }],
    ["Enter", [["enter"]], { value: true }],
    ["always", [[":a"]], { value: "always" }],
    ["n", [[":n"]], { value: false }],
    ["Escape", [["escape"]], { value: false }],
    ["what to do instead", [[":i", ":Use git.", "enter"]], { value: false, message: "Use git." }],
    ["the same, typed at once", [[":iUse git.", "enter"]], { value: false, message: "Use git." }],
    ["edit", [[":e"], ["ctrl-u", ":ls", "enter"]], { value: { updatedInput: { command: "ls" } } }],
    ["edit, and back", [[":e"], ["escape"], [":n"]], { value: false }],
    ["edit to nothing, and back", [[":e"], ["ctrl-u", "enter", "escape"], [":y"]], { value: true }],
    ["keys that mean nothing", [[":xq1 ", "ctrl-x", ":n"]], { value: false }],
  ])("is answered by %s", async (_, panels, response) => {
    expect((await answer({ type: "confirm", metadata: bash }, panels)).response).toEqual(response);
  });

  test("shows what is agreed to, hidden characters included", async () => {
    const suggestions = [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "rm:*" }],
        behavior: "allow",
        destination: "session",
      },
      { type: "setMode", mode: "acceptEdits", destination: "session" },
    ];
    const { shown } = await answer({ type: "confirm", metadata: { ...bash, suggestions } }, [[":n"]], 40);
    expect(shown[0]).toEqual([
      "? Allow it?",
      "  rm -r build␛[8m && echo",
      "❯ y Yes, this once",
      "  a Always in this session: Bash(rm:*),",
      "    mode acceptEdits",
      "  e Edit it first",
      "  n No",
      "  i No, and say what to do instead",
      "  enter chooses · esc leaves",
    ]);
  });

  test("shows an edit as a diff, and what has no room as a number of lines", async () => {
    const edit = { file_path: "/a.txt", old_string: "old", new_string: "new\nmore" };
    const first = await answer({ type: "confirm", metadata: { tool_name: "Edit", tool_input: edit } }, [[":n"]]);
    expect(first.shown[0]?.slice(1, 5)).toEqual(["  /a.txt", "  - old", "  + new", "  + more"]);
    const write = { file_path: "/a.txt", content: "x\n".repeat(100) };
    const second = await answer({ type: "confirm", metadata: { tool_name: "Write", tool_input: write } }, [[":n"]]);
    expect(second.shown[0]).toContain("  … and 91 more lines");
  });

  test("does not offer always where it would not be", async () => {
    const metadata = { ...bash, suppress_always: true };
    expect((await answer({ type: "confirm", metadata }, [[":a", ":n"]])).response).toEqual({ value: false });
  });

  test("takes other input as JSON, and only an object", async () => {
    const metadata = { tool_name: "mcp__a__b", tool_input: { n: 1 } };
    const keys = ["ctrl-u", "up", "ctrl-u", "up", "ctrl-u", "ctrl-k", "delete", "ctrl-k", "delete", "ctrl-k"];
    const { response } = await answer({ type: "confirm", metadata }, [
      [":e"],
      [...keys, ":[", "enter", ":]", "enter", "ctrl-u", ':{"n":2}', "enter"],
    ]);
    expect(response).toEqual({ value: { updatedInput: { n: 2 } } });
  });
});

test("a plan is approved, or sent back with a word", async () => {
  const metadata = { tool_name: "ExitPlanMode", plan: "# Plan\n\n- one" };
  const { response, shown } = await answer({ type: "confirm", metadata }, [[":y"]]);
  expect(response).toEqual({ value: true });
  expect(shown[0]?.slice(0, 4)).toEqual(["? Allow it?", "  # Plan", "", "  • one"]);
  expect((await answer({ type: "confirm", metadata }, [[":i", ":Two.", "enter"]])).response).toEqual({
    value: false,
    message: "Two.",
  });
});

test("questions are answered by numbers, marks and words", async () => {
  const options = [{ label: "A", description: "first" }, { label: "B" }];
  const metadata = {
    questions: [
      { question: "One?", options },
      { question: "Many?", options, multiSelect: true },
    ],
  };
  expect((await answer({ type: "question", metadata }, [[":2"], [":21", "enter"]])).response).toEqual({
    value: { "One?": "B", "Many?": ["A", "B"] },
  });
  expect((await answer({ type: "question", metadata }, [[":3", ":C", "enter"], ["escape"]])).response).toEqual({
    cancelled: true,
  });
});

test("a form asks for each of its fields, and checks them", async () => {
  const requested_schema = {
    properties: {
      name: { type: "string", title: "Name" },
      size: { type: "integer" },
      colour: { enum: ["red", "green"], default: "green" },
      sure: { type: "boolean" },
      note: { type: "string" },
    },
    required: ["name", "size", "colour", "sure"],
  };
  const panels = [["enter", ":Ada", "enter"], [":1.5", "enter", "ctrl-u", ":3", "enter"], ["enter"], [":2"], ["enter"]];
  expect((await answer({ type: "form", metadata: { requested_schema } }, panels)).response).toEqual({
    value: { name: "Ada", size: 3, colour: "green", sure: false },
  });
  expect((await answer({ type: "form", metadata: { requested_schema } }, [["escape"]])).response).toEqual({
    cancelled: true,
  });
});

test("a page to visit is shown as a whole, and dialogs are declined", async () => {
  const url = `https://example.com/${"x".repeat(80)}`;
  const { response, shown } = await answer({ type: "url", metadata: { url } }, [[":y"]]);
  expect(response).toEqual({ value: true });
  expect(shown[0]?.slice(1, 3).join("").replaceAll(" ", "")).toBe(url);
  expect((await answer({ type: "dialog" }, [])).response).toEqual({ cancelled: true });
});

test("a long list scrolls with what is selected, is narrowed by typing, and fits everywhere", () => {
  const answers: unknown[] = [];
  const panel = new ChoicePanel({
    title: "Which session, of all those that there are?",
    hasFilter: true,
    choices: Array.from({ length: 50 }, (_, i) => ({ label: `session ${i} 世界`, value: i, description: `day ${i}` })),
    onAnswer: (answer) => answers.push(answer),
  });
  for (const width of [20, 40, 80]) expect(linesOf(panel, width, 12).length).toBeLessThanOrEqual(12);
  panel.press(keyOf("up"));
  expect(linesOf(panel, 40, 12)).toContain("❯ session 49 世界");
  for (const key of [":day ", ":7", "down"]) panel.press(keyOf(key));
  expect(linesOf(panel, 40, 12)).toContain("❯ session 17 世界");
  panel.press(keyOf(":xyz"));
  expect(linesOf(panel, 40, 12)).toContain("  Nothing matches.");
  for (const key of ["enter", "up", "down", "ctrl-w", ":7", "enter", "enter"]) panel.press(keyOf(key));
  expect(answers).toEqual([{ values: [7] }]);
});
