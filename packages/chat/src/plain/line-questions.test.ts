import { PassThrough } from "node:stream";
import type { PromptMetadata, PromptRequest } from "@reins/runtime";
import { expect, test } from "vitest";
import { LineInput } from "./line-input.ts";
import { LineQuestions } from "./line-questions.ts";

const signal = new AbortController().signal;

function request(type: PromptRequest["type"], metadata: Omit<PromptMetadata, "working_directory">): PromptRequest {
  return { type, message: "Allow Bash?", metadata: { working_directory: "/", ...metadata }, signal };
}

/** Questions whose answers are these lines. */
function startQuestions(...lines: readonly string[]) {
  const source = new PassThrough();
  source.end(lines.map((line) => `${line}\n`).join(""));
  let written = "";
  const questions = new LineQuestions(new LineInput(source), false, (text) => {
    written += text;
  });
  return {
    ask: (type: PromptRequest["type"], metadata: Omit<PromptMetadata, "working_directory"> = {}) =>
      questions.ask(request(type, metadata)),
    written: () => written,
  };
}

test("shows what a call would do, and takes a clear yes alone for one", async () => {
  const { ask, written } = startQuestions(" Y ", "always", "yes!", "");
  const metadata = { tool_input: { command: "rm -r \x1b[2Jx\ny" } };
  const answers = [await ask("confirm", metadata), await ask("confirm"), await ask("confirm"), await ask("confirm")];
  expect(answers.map(({ value }) => value)).toEqual([true, "always", false, false]);
  expect(written()).toMatch(
    /^\? Allow Bash\?\n {2}rm -r ␛\[2Jx\n {2}y\n {2}\[y\]es, \[a\]lways in this session, \[n\]o: \n\? Allow Bash\?\n {2}\[y\]es/,
  );
});

test("offers no always where there is to be none, and shows a plan as it is", async () => {
  const { ask, written } = startQuestions("a", "y");
  expect(await ask("confirm", { suppress_always: true })).toEqual({ value: false });
  expect(await ask("confirm", { plan: "# Plan\n1. Look" })).toEqual({ value: true });
  expect(written()).toContain("[y]es, [n]o: \n");
  expect(written()).toContain("\n  # Plan\n  1. Look\n");
});

test("takes the number of a choice, or words, and no empty line", async () => {
  const questions = [
    { question: "Which?", options: [{ label: "Blue" }, { label: "Green" }] },
    { question: "How many?", options: [{ label: "Few" }] },
  ];
  const { ask } = startQuestions("2", "7", "1", "");
  expect(await ask("question", { questions })).toEqual({ value: { "Which?": "Green", "How many?": "7" } });
  expect(await ask("question", { questions })).toEqual({ cancelled: true });
});

test("asks one question after the other, though they come at once", async () => {
  const { ask, written } = startQuestions("y", "n");
  const answers = await Promise.all([
    ask("confirm", { tool_input: { command: "first" } }),
    ask("confirm", { tool_input: { command: "second" } }),
  ]);
  expect(answers).toEqual([{ value: true }, { value: false }]);
  expect(written()).toMatch(/first\n.*o: \n\? .*\n {2}second\n/s);
});

test("declines what takes a screen, and all that is asked when the input has ended", async () => {
  const { ask, written } = startQuestions();
  expect(await ask("form")).toEqual({ cancelled: true });
  expect(written()).toContain("is declined");
  expect(await ask("confirm")).toEqual({ cancelled: true, message: "Nobody is there to be asked." });
});
