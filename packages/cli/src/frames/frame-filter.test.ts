import { decodeFrame } from "@reins/streamjson";
import { expect, test } from "vitest";
import { createStyle } from "../terminal/style.ts";
import { frameFilter } from "./frame-filter.ts";
import { renderFrame } from "./render-frame.ts";

test.for([
  [[], ["a", "a/x", "b"]],
  [["a"], ["a", "a/x"]],
  [
    ["a/x", "b"],
    ["a/x", "b"],
  ],
  [["!a/x"], ["a", "b"]],
  [["a", "!a/x"], ["a"]],
] as const)("%j lets through %j", ([filters, expected]) => {
  const isWanted = frameFilter(filters);
  const seen = ["a", "a/x", "b"].filter((kind) => {
    const [type, subtype] = kind.split("/");
    return isWanted({ type, subtype });
  });
  expect(seen).toEqual(expected);
});

test("frames of all kinds are shown, however odd", () => {
  const show = (value: unknown): string => renderFrame(decodeFrame(JSON.stringify(value)), createStyle(false, {}));
  expect(show({ type: "assistant", message: { content: [{ type: "text", text: "Hi.\nThere." }] } })).toBe(
    "    1 assistant\n      Hi.\n      There.\n",
  );
  expect(
    show({
      type: "user",
      message: { content: [{ type: "tool_result", content: [{ type: "text", text: "no" }], is_error: true }] },
    }),
  ).toBe("    1 user\n      < failed: no\n");
  expect(show({ type: "result", subtype: "success", result: "Done\u001b." })).toBe("    1 result/success Done␛.\n");
  expect(show({ type: "control_request", request: { subtype: "interrupt" } })).toBe(
    '    1 control_request {"subtype":"interrupt"}\n',
  );
  expect(show({ type: "stream_event", event: { type: "message_stop" } })).toBe("    1 stream_event message_stop\n");
  for (const value of [
    {},
    { type: 1 },
    { type: "assistant", message: 7 },
    { type: "user", message: { content: [null, 1, {}] } },
    { type: "stream_event" },
  ]) {
    expect(show(value)).toMatch(/^ {4}1 .*\n/);
  }
});
