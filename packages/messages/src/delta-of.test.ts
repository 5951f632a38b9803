import { expect, test } from "vitest";
import { deltaOf } from "./delta-of.ts";
import type { UnknownMessage } from "./message.ts";
import type { StreamEvent, StreamEventMessage } from "./stream-event.ts";

function streamed(event: StreamEvent): StreamEventMessage {
  return { type: "stream_event", event, parent_tool_use_id: null, uuid: "u", session_id: "s" };
}

test("gives the delta of an event that brings one, and nothing for all else", () => {
  const delta = { type: "text_delta", text: "a" } as const;
  expect(deltaOf(streamed({ type: "content_block_delta", index: 0, delta }))).toBe(delta);
  expect(deltaOf(streamed({ type: "content_block_stop", index: 0 }))).toBeUndefined();
  // Cannot be written down within the types.
  expect(deltaOf({ type: "telepathy" } as unknown as UnknownMessage)).toBeUndefined();
});
