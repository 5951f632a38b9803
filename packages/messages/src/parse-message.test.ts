import { decodeFrame, MalformedFrameError } from "@reins/streamjson";
import { describe, expect, expectTypeOf, test } from "vitest";
import { MessageParseError } from "./errors.ts";
import type { KnownMessage, UnknownMessage } from "./message.ts";
import { type ControlFrame, parseMessage } from "./parse-message.ts";

function faultOf(value: object): MessageParseError {
  try {
    parseMessage(value);
  } catch (error) {
    if (error instanceof MessageParseError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(value)} was taken`);
}

describe("a message of a known type", () => {
  test.each([
    { type: "assistant", message: { content: [] } },
    { type: "user", message: { role: "user", content: "as plain text" } },
    { type: "user", message: { role: "user", content: [] } },
    { type: "result", subtype: "success", is_error: false },
    { type: "system", subtype: "init" },
    { type: "stream_event", event: { type: "message_stop" } },
    { type: "rate_limit_event" },
    { type: "command_lifecycle", state: "queued" },
  ])("needs no more than $type and its content", (value) => {
    const parsed = parseMessage(value);
    expect(parsed.kind).toBe("message");
    expect(parsed.kind === "message" && parsed.message).toBe(value);
  });

  test("keeps unknown fields, blocks, values and nulls as they are", () => {
    const value = {
      type: "assistant",
      parent_tool_use_id: null,
      message: { content: [{ type: "hologram", depth: 3 }], stop_reason: "tired", usage: null },
      invented: { by: "a later CLI" },
    };
    const copy = structuredClone(value);
    expect(parseMessage(value)).toEqual({ kind: "message", message: copy });
  });

  test("is a result also with a subtype that is not known yet", () => {
    expect(parseMessage({ type: "result", subtype: "error_of_tomorrow", is_error: true }).kind).toBe("message");
  });

  test.each([
    [{ type: "assistant" }, "message.content"],
    [{ type: "assistant", message: { content: "text" } }, "message.content"],
    [{ type: "user", message: null }, "message.content"],
    [{ type: "user", message: { content: 7 } }, "message.content"],
    [{ type: "result", is_error: false }, "subtype"],
    [{ type: "result", subtype: "success" }, "is_error"],
    [{ type: "result", subtype: "success", is_error: "no" }, "is_error"],
    [{ type: "system" }, "subtype"],
    [{ type: "stream_event", event: {} }, "event.type"],
    [{ type: "control_request", request_id: "1" }, "request.subtype"],
    [{ type: "control_response", response: "garbage" }, "response"],
    [{ type: "control_cancel_request" }, "request_id"],
    [{ type: "transcript_mirror", entries: [] }, "filePath"],
    [{ type: "transcript_mirror", filePath: "/a" }, "entries"],
  ])("is refused without what makes it usable: %j", (value, field) => {
    const error = faultOf(value);
    expect(error).toMatchObject({ code: "REINS_MESSAGE_INVALID", type: value.type, field, value, line: undefined });
    expect(error.message).toContain(`${field} of a frame of type ${value.type} has to be `);
  });
});

describe("what this package does not know", () => {
  test.each([
    { type: "telepathy", thought: 1 },
    { type: "system", subtype: "telepathy", thought: 1 },
    { type: "constructor" },
    { type: "system", subtype: "toString" },
    { type: 5 },
    { type: null },
    {},
  ])("is delivered as it is: %j", (value) => {
    const parsed = parseMessage(value);
    expect(parsed.kind).toBe("unknown");
    expect(parsed.kind === "unknown" && parsed.message).toBe(value);
  });
});

describe("frames of the host's machinery", () => {
  test.each([
    { type: "control_request", request_id: "1", request: { subtype: "from_tomorrow" } },
    { type: "control_request", request: { subtype: "interrupt" } },
    { type: "control_response", response: { subtype: "success", request_id: "1" } },
    { type: "control_response", response: { subtype: "error", error: "no id was given" } },
    { type: "control_cancel_request", request_id: "" },
    { type: "keep_alive" },
    { type: "transcript_mirror", filePath: "/a", entries: [] },
  ])("are told apart from messages: %j", (value) => {
    const parsed = parseMessage(value);
    expect(parsed.kind).toBe("control");
    expect(parsed.kind === "control" && parsed.frame).toBe(value);
  });
});

describe("a frame", () => {
  test("is parsed, and its line is kept in the error", () => {
    const good = decodeFrame('{"type":"system","subtype":"init"}');
    expect(parseMessage(good)).toEqual({ kind: "message", message: good.value });
    const bad = decodeFrame('{"type":"system", "x":1}');
    expect(() => parseMessage(bad)).toThrow(
      expect.objectContaining({ line: '{"type":"system", "x":1}', field: "subtype" }),
    );
  });

  test("of another copy of the package is a frame too", () => {
    const value = { type: "system", subtype: "init" };
    expect(parseMessage({ type: "system", value, text: "", bytes: new Uint8Array() })).toEqual({
      kind: "message",
      message: value,
    });
  });

  test("that is no JSON object keeps its own error", () => {
    expect(() => parseMessage(decodeFrame("{"))).toThrow(MalformedFrameError);
  });

  test.each([[[]], [null], ["text"], [3]])("has to be an object: %j", (value) => {
    // Values from elsewhere, past the types.
    expect(() => parseMessage(value as unknown as object)).toThrow(MessageParseError);
  });
});

test("the kind narrows", () => {
  const parsed = parseMessage({ type: "keep_alive" });
  if (parsed.kind === "message") expectTypeOf(parsed.message).toEqualTypeOf<KnownMessage>();
  if (parsed.kind === "unknown") expectTypeOf(parsed.message).toEqualTypeOf<UnknownMessage>();
  if (parsed.kind === "control") expectTypeOf(parsed.frame).toEqualTypeOf<ControlFrame>();
});
