import { expect, test } from "vitest";
import { toErrorBody, toEvents, toMessage } from "./reply.ts";
import { apiError, type ScriptedTurn, text, thinking, toolUse } from "./turn.ts";

function ids(): Parameters<typeof toEvents>[1] {
  let count = 0;
  return { messageId: "msg_0001", model: "claude-x", nextToolUseId: () => `toolu_${++count}` };
}

const full: ScriptedTurn = {
  content: [thinking("a", "b"), text("Hel", "lo"), toolUse("Bash", { command: "ls" }), toolUse("Read", {}, "mine")],
  usage: { input_tokens: 3, cache_read_input_tokens: 2 },
};

test("a reply without a stream holds all blocks, and stops for the tools", () => {
  expect(toMessage(full, ids())).toEqual({
    id: "msg_0001",
    type: "message",
    role: "assistant",
    model: "claude-x",
    content: [
      { type: "thinking", thinking: "ab", signature: expect.any(String) },
      { type: "text", text: "Hello" },
      { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } },
      { type: "tool_use", id: "mine", name: "Read", input: {} },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 2, output_tokens: 5 },
  });
});

test("a stream has the events that the docstring of afterEvents counts", () => {
  const events = toEvents(full, ids());

  expect(events.map(({ type, index, delta }) => [type, index, (delta as { type?: string } | undefined)?.type])).toEqual(
    [
      ["message_start", undefined, undefined],
      ["content_block_start", 0, undefined],
      ["content_block_delta", 0, "thinking_delta"],
      ["content_block_delta", 0, "thinking_delta"],
      ["content_block_delta", 0, "signature_delta"],
      ["content_block_stop", 0, undefined],
      ["content_block_start", 1, undefined],
      ["content_block_delta", 1, "text_delta"],
      ["content_block_delta", 1, "text_delta"],
      ["content_block_stop", 1, undefined],
      ["content_block_start", 2, undefined],
      ["content_block_delta", 2, "input_json_delta"],
      ["content_block_stop", 2, undefined],
      ["content_block_start", 3, undefined],
      ["content_block_delta", 3, "input_json_delta"],
      ["content_block_stop", 3, undefined],
      ["message_delta", undefined, undefined],
      ["message_stop", undefined, undefined],
    ],
  );
});

test("a stream starts empty and tells the counts and the stop reason at its end", () => {
  const events = toEvents({ content: text("hi"), stopReason: "max_tokens" }, ids());

  expect(events[0]).toMatchObject({ message: { content: [], stop_reason: null, usage: { output_tokens: 1 } } });
  expect(events[1]).toMatchObject({ content_block: { type: "text", text: "" } });
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 5 } });
});

test("an empty turn is an empty reply", () => {
  expect(toEvents({}, ids()).map(({ type }) => type)).toEqual(["message_start", "message_delta", "message_stop"]);
  expect(toMessage({}, ids())).toMatchObject({ content: [], stop_reason: "end_turn" });
});

test.each([
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
  [500, "api_error"],
  [418, "api_error"],
])("status %i is called %s unless the script says otherwise", (status, type) => {
  expect(toErrorBody({ status })).toEqual({ type: "error", error: { type, message: `Scripted error ${status}.` } });
  expect(toErrorBody({ status, type: "mine", message: "no" })).toEqual({
    type: "error",
    error: { type: "mine", message: "no" },
  });
});

test("apiError keeps what belongs to the turn apart from what belongs to the error", () => {
  const turn = apiError(429, {
    message: "slow",
    headers: { "retry-after": "1" },
    afterEvents: 2,
    content: text("half"),
  });

  expect(turn).toEqual({
    error: { status: 429, message: "slow" },
    headers: { "retry-after": "1" },
    afterEvents: 2,
    content: text("half"),
  });
});
