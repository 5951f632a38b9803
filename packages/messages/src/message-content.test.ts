import { expect, test } from "vitest";
import type { AssistantMessage } from "./assistant.ts";
import type { AssistantBlock, UserBlock } from "./content-blocks.ts";
import type { Message, UnknownMessage } from "./message.ts";
import { contentText, messageText, toolResults, toolResultsById, toolUses } from "./message-content.ts";
import type { UserMessage } from "./user.ts";

function assistant(...content: AssistantBlock[]): AssistantMessage {
  return {
    type: "assistant",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-test",
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    parent_tool_use_id: null,
    uuid: "u1",
    session_id: "s1",
  };
}

function user(content: string | UserBlock[]): UserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, uuid: "u2", session_id: "s1" };
}

// Such a message cannot be written down within the types: that is their point.
const unknown = { type: "telepathy" } as unknown as UnknownMessage;

test("text is that of the text blocks, joined as they are", () => {
  const thinking: AssistantBlock = { type: "thinking", thinking: "hm", signature: "" };
  const message = assistant(thinking, { type: "text", text: "a " }, { type: "text", text: "b" });
  expect(messageText(message)).toBe("a b");
  expect(messageText(assistant())).toBe("");
  expect(messageText(user("plain"))).toBe("plain");
  expect(contentText(undefined)).toBe("");
  expect(contentText([{ type: "tool_reference", tool_name: "Bash" }])).toBe("");
});

test("tool uses are those of the model, in order", () => {
  const message = assistant(
    { type: "tool_use", id: "t1", name: "Bash", input: {} },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    { type: "tool_use", id: "t2", name: "Read", input: {} },
  );
  expect(toolUses(message).map((block) => block.id)).toEqual(["t1", "t2"]);
  expect(toolUses(user("t1"))).toEqual([]);
  expect(toolUses(unknown)).toEqual([]);
});

test("results are found by the id of their use, whatever their order, and the last of an id counts", () => {
  const messages: Message[] = [
    assistant({ type: "tool_use", id: "t1", name: "Bash", input: {} }),
    user([{ type: "tool_result", tool_use_id: "t2", content: "second" }]),
    unknown,
    user("words"),
    user([{ type: "tool_result", tool_use_id: "t1", content: "early" }]),
    user([{ type: "tool_result", tool_use_id: "t1", is_error: true }]),
  ];
  const results = toolResultsById(messages);
  expect([...results.keys()]).toEqual(["t2", "t1"]);
  expect(results.get("t1")).toEqual({ type: "tool_result", tool_use_id: "t1", is_error: true });
  expect(contentText(results.get("t1")?.content)).toBe("");
  expect(toolResults(messages[0]!)).toEqual([]);
});
