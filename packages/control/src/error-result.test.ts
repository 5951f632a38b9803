import { expect, test } from "vitest";
import { ErrorResultMemory } from "./error-result.ts";

function textAfter(...values: Readonly<Record<string, unknown>>[]): string | undefined {
  const memory = new ErrorResultMemory();
  for (const value of values) memory.observe(value);
  return memory.toError(undefined)?.message;
}

const apiError = { type: "result", subtype: "success", is_error: true, result: "API Error: 400 bad thing" };
const limit = {
  type: "result",
  subtype: "error_max_turns",
  is_error: true,
  errors: [" Reached maximum number of turns (1) ", ""],
};

test("says what the last error result said", () => {
  expect(textAfter(apiError)).toBe("Claude Code returned an error result: API Error: 400 bad thing");
  expect(textAfter(limit)).toBe("Claude Code returned an error result: Reached maximum number of turns (1)");
  expect(textAfter({ type: "result", subtype: "error_of_tomorrow", is_error: true })).toBe(
    "Claude Code returned an error result: error_of_tomorrow",
  );
});

test("is forgotten when the session goes on", () => {
  expect(textAfter(apiError, { type: "system", subtype: "init" })).toBeUndefined();
  expect(
    textAfter(apiError, { type: "result", subtype: "success", is_error: false, num_turns: 1, result: "done" }),
  ).toBeUndefined();
  expect(textAfter({ type: "result", subtype: "success", is_error: false })).toBeUndefined();
});

test("is kept over the frames with which the CLI ends, and over a turn that did not reach the model", () => {
  expect(
    textAfter(
      apiError,
      { type: "system", subtype: "session_state_changed" },
      { type: "transcript_mirror" },
      { type: "command_lifecycle" },
    ),
  ).toContain("400");
  expect(
    textAfter(apiError, { type: "result", subtype: "success", is_error: false, num_turns: 0, result: "" }),
  ).toContain("400");
});
