import { decodeFrame } from "@reins/streamjson";
import { expect, expectTypeOf, test } from "vitest";
import type { ControlRequest } from "./control/envelope.ts";
import {
  isAssistantMessage,
  isInboundRequest,
  isInputJsonDelta,
  isKnownMessage,
  isResultMessage,
  isStreamEventMessage,
  isSystemMessage,
  isTerminalTaskStatus,
  isTextDelta,
  isThinkingDelta,
  isToolUseBlock,
  isUserMessage,
  isUserReplayMessage,
} from "./guards.ts";
import type { KnownMessage, Message } from "./message.ts";
import type { ResultMessage } from "./result.ts";
import type { SystemInitMessage } from "./system/init.ts";

test("each message guard knows its own and no other", () => {
  const messages = {
    assistant: { type: "assistant" },
    user: { type: "user" },
    replay: { type: "user", isReplay: true },
    summary: { type: "user", isReplay: false },
    result: { type: "result", subtype: "error_of_tomorrow" },
    init: { type: "system", subtype: "init" },
    status: { type: "system", subtype: "status" },
    event: { type: "stream_event" },
    unknown: { type: "telepathy" },
    nothing: {},
  };
  const recognised = (guard: (message: { type?: string; subtype?: string; isReplay?: boolean }) => boolean): string[] =>
    Object.entries(messages).flatMap(([name, message]) => (guard(message) ? [name] : []));
  expect(recognised(isAssistantMessage)).toEqual(["assistant"]);
  expect(recognised(isUserMessage)).toEqual(["user", "replay", "summary"]);
  expect(recognised(isUserReplayMessage)).toEqual(["replay"]);
  expect(recognised(isResultMessage)).toEqual(["result"]);
  expect(recognised(isStreamEventMessage)).toEqual(["event"]);
  expect(recognised((message) => isSystemMessage(message, "init"))).toEqual(["init"]);
  expect(recognised((message) => !isKnownMessage(message))).toEqual(["unknown", "nothing"]);
});

test("an unknown subtype of a system message is not known, also where objects have such a member", () => {
  expect(isKnownMessage({ type: "system", subtype: "telepathy" })).toBe(false);
  expect(isKnownMessage({ type: "system", subtype: "constructor" })).toBe(false);
  expect(isKnownMessage({ type: "hasOwnProperty" })).toBe(false);
});

test("blocks and deltas are recognised", () => {
  expect(isToolUseBlock({ type: "tool_use" })).toBe(true);
  expect(isToolUseBlock({ type: "server_tool_use" })).toBe(false);
  expect(isTextDelta({ type: "text_delta" })).toBe(true);
  expect(isTextDelta({ type: "thinking_delta" })).toBe(false);
  expect(isThinkingDelta({ type: "thinking_delta" })).toBe(true);
  expect(isInputJsonDelta({ type: "input_json_delta" })).toBe(true);
});

test("a task is over in its final states only, and never in one that is not known", () => {
  expect(["completed", "failed", "killed", "stopped"].every(isTerminalTaskStatus)).toBe(true);
  expect(["pending", "running", "paused", "resting", undefined].some(isTerminalTaskStatus)).toBe(false);
});

test("a request of the CLI narrows by its subtype", () => {
  const { request }: ControlRequest = {
    type: "control_request",
    request_id: "1",
    request: { subtype: "can_use_tool" },
  };
  if (isInboundRequest(request, "can_use_tool")) expectTypeOf(request.tool_name).toEqualTypeOf<string>();
  expect(isInboundRequest(request, "can_use_tool")).toBe(true);
  expect(isInboundRequest(request, "hook_callback")).toBe(false);
});

test("guards narrow messages, and take no Frame for one", () => {
  (message: Message): void => {
    if (isResultMessage(message)) expectTypeOf(message).toEqualTypeOf<ResultMessage>();
    if (isKnownMessage(message)) expectTypeOf(message).toEqualTypeOf<KnownMessage>();
    if (isSystemMessage(message, "init")) expectTypeOf(message).toEqualTypeOf<SystemInitMessage>();
    // @ts-expect-error: no such subtype
    isSystemMessage(message, "inti");
  };
  const frame = decodeFrame('{"type":"result"}');
  // @ts-expect-error: a Frame has a type and none of the message's other fields
  isResultMessage(frame);
  expect(isResultMessage(frame.value)).toBe(true);
});
