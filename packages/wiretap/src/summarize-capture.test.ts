import { expect, test } from "vitest";
import type { CapturedExchange, ExchangeResponse } from "./exchange.ts";
import { summarizeCapture } from "./summarize-capture.ts";

const usage = (input_tokens: number, cache_read_input_tokens: number, cache_creation_input_tokens: number): object => ({
  input_tokens,
  cache_read_input_tokens,
  cache_creation_input_tokens,
  output_tokens: 5,
});

function streamed(counts: object): ExchangeResponse {
  const events = [
    { type: "message_start", message: { usage: { ...counts, output_tokens: 1 } } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return { status: 200, headers: {}, bytes: 10, events: events.map((data) => ({ data, atMs: 4 })) };
}

function call(number: number, body: object, response?: ExchangeResponse): CapturedExchange {
  return {
    number,
    startedAt: "2026-01-01T00:00:00.000Z",
    request: { method: "POST", path: "/v1/messages?beta=true", headers: {}, bytes: JSON.stringify(body).length, body },
    ...(response && { response }),
    end: response ? "complete" : "client-gone",
    timings: { firstByteMs: 4, endMs: 9 },
  };
}

const user = (content: unknown): object => ({ role: "user", content });
const read = { name: "Read", input_schema: { type: "object" } };
const first = { model: "m", system: [{ type: "text", text: "Be terse." }], tools: [read], messages: [user("a")] };

test("says how large the parts of a request are, and what the API counted", () => {
  const { calls } = summarizeCapture([call(1, first, streamed(usage(10, 30, 60)))]);
  expect(calls).toMatchObject([
    {
      number: 1,
      model: "m",
      status: 200,
      stopReason: "end_turn",
      systemChars: 9,
      toolNames: ["Read"],
      messageCount: 1,
      usage: { inputTokens: 10, cacheReadTokens: 30, cacheCreationTokens: 60, outputTokens: 5 },
      cacheHitRate: 0.3,
      firstByteMs: 4,
      durationMs: 9,
      changes: undefined,
    },
  ]);
});

test("says what is new since the call that it goes on with, wherever the cache begins", () => {
  const marked = [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }];
  const second = { ...first, max_tokens: 5, messages: [user(marked), { role: "assistant", content: "b" }, user("c")] };
  const third = {
    ...second,
    system: "Other.",
    tools: [{ ...read, strict: true }, { name: "Bash" }],
    messages: [user("a"), user("x")],
  };
  const agent = { ...first, messages: [user("something else")] };
  const { calls } = summarizeCapture([call(1, first), call(2, agent), call(3, second), call(4, third)]);
  expect(calls.map(({ changes }) => changes)).toEqual([
    undefined,
    undefined,
    {
      since: 1,
      messagesKept: 1,
      messagesDropped: 0,
      messagesAdded: 2,
      isSystemChanged: false,
      toolsAdded: [],
      toolsRemoved: [],
      toolsChanged: [],
      otherFields: ["max_tokens"],
    },
    {
      since: 3,
      messagesKept: 1,
      messagesDropped: 2,
      messagesAdded: 1,
      isSystemChanged: true,
      toolsAdded: ["Bash"],
      toolsRemoved: [],
      toolsChanged: ["Read"],
      otherFields: [],
    },
  ]);
});

test("sums up counts, and tells calls of the model from all else", () => {
  const probe = call(3, { ...first, max_tokens: 1 }, streamed(usage(1, 0, 0)));
  const tokens = call(4, first, { status: 200, headers: {}, bytes: 3, body: { input_tokens: 5 } });
  const count: CapturedExchange = { ...tokens, request: { ...tokens.request, path: "/v1/messages/count_tokens" } };
  const summary = summarizeCapture([
    call(1, first, streamed(usage(10, 0, 90))),
    call(2, first, streamed(usage(10, 90, 0))),
    probe,
    count,
    call(5, first),
  ]);
  expect(summary.calls.map(({ number, isSideCall }) => [number, isSideCall])).toEqual([
    [1, false],
    [2, false],
    [3, true],
    [5, false],
  ]);
  expect(summary.otherRequests).toEqual([
    { number: 4, method: "POST", path: "/v1/messages/count_tokens", status: 200 },
  ]);
  expect(summary.usage).toEqual({ inputTokens: 21, cacheReadTokens: 90, cacheCreationTokens: 90, outputTokens: 15 });
  expect(summary.cacheHitRate).toBeCloseTo(90 / 201);
});

test("takes an empty capture, and answers that say nothing", () => {
  expect(summarizeCapture([]).cacheHitRate).toBeUndefined();
  const refused = { status: 500, headers: {}, bytes: 4, body: "oops" };
  expect(summarizeCapture([call(1, first, refused)]).calls).toMatchObject([
    { usage: undefined, stopReason: undefined },
  ]);
});

test("a long conversation is summed up in seconds", () => {
  const messages: object[] = [];
  const exchanges = Array.from({ length: 300 }, (_, i) => {
    messages.push(user(`${"x".repeat(1_000)}${i}`), { role: "assistant", content: `${"y".repeat(1_000)}${i}` });
    return call(i + 1, { ...first, messages: [...messages] });
  });
  const start = performance.now();
  const { calls } = summarizeCapture(exchanges);
  // With every message compared as text it would be minutes. The bound is for a machine under load.
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(calls.at(-1)?.changes).toMatchObject({ since: 299, messagesKept: 598, messagesAdded: 2, messagesDropped: 0 });
});
