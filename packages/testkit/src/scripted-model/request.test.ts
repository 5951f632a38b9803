import { expect, test } from "vitest";
import { createModelRequest, isMessagesBody, type MessagesBody, type ModelRequest } from "./request.ts";

function requestOf(body: Partial<MessagesBody>): ModelRequest {
  const whole: MessagesBody = { model: "claude-x", max_tokens: 10, messages: [], ...body };
  return createModelRequest({ method: "POST", path: "/", headers: {}, body: whole }, Promise.resolve("answered"));
}

test("the user text is the last one, without what the CLI adds", () => {
  const { userText } = requestOf({
    messages: [
      { role: "user", content: "first" },
      { role: "assistant", content: "yes" },
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>\nAttribution...\n</system-reminder>\n" },
          { type: "text", text: "see" },
          { type: "image", source: {} },
          { type: "text", text: "this" },
        ],
      },
      { role: "system", content: "# Environment" },
    ],
  });

  expect(userText).toBe("see\nthis");
});

test("the system text is the prompt and what comes between the turns", () => {
  const messages = [
    { role: "user", content: "hi" },
    { role: "system", content: "# Environment" },
  ];

  expect(requestOf({ messages, system: "You are" }).systemText).toBe("You are\n\n# Environment");
  expect(requestOf({ messages, system: [{ type: "text", text: "You" }] }).systemText).toBe("You\n\n# Environment");
  expect(requestOf({}).systemText).toBe("");
});

test("the tool results are those since the last reply", () => {
  const result = (id: string, content: unknown, isError?: boolean) => ({
    type: "tool_result",
    tool_use_id: id,
    content,
    ...(isError !== undefined && { is_error: isError }),
  });
  const { toolResults } = requestOf({
    messages: [
      { role: "assistant", content: [{ type: "tool_use", id: "1" }] },
      { role: "user", content: [result("1", "old")] },
      { role: "assistant", content: [{ type: "tool_use", id: "2" }] },
      {
        role: "user",
        content: [result("2", [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }])],
      },
      {
        role: "user",
        content: [result("3", "no", true), result("4", undefined, false), { type: "text", text: "and" }],
      },
    ],
  });

  expect(toolResults).toEqual([
    { toolUseId: "2", text: "a\nb", isError: false },
    { toolUseId: "3", text: "no", isError: true },
    { toolUseId: "4", text: "", isError: false },
  ]);
});

test("the tool names are those on offer", () => {
  expect(requestOf({ tools: [{ name: "Bash" }, { name: "mcp__calc__add" }] }).toolNames).toEqual([
    "Bash",
    "mcp__calc__add",
  ]);
  expect(requestOf({}).toolNames).toEqual([]);
});

test.each([
  undefined,
  null,
  1,
  "text",
  [],
  {},
  { model: "x" },
  { model: "x", messages: [null] },
  { model: "x", messages: [], tools: 1 },
])("%j is no call of the model", (body) => {
  expect(isMessagesBody(body)).toBe(false);
});
