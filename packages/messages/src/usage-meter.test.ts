import { describe, expect, test } from "vitest";
import type { Message } from "./message.ts";
import type { ModelUsage } from "./usage.ts";
import { UsageMeter } from "./usage-meter.ts";

// Only the fields that the meter reads; the CLI writes many more.
function assistant(id: string, usage: object, model = "claude-test"): Message {
  return { type: "assistant", message: { id, model, content: [], usage } } as unknown as Message;
}

function streamed(event: object, fields: object = {}): Message {
  return { type: "stream_event", event, ...fields } as unknown as Message;
}

function result(costUsd: number, models: Record<string, Partial<ModelUsage>>, fields: object = {}): Message {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 1,
    terminal_reason: "completed",
    total_cost_usd: costUsd,
    modelUsage: models,
    ...fields,
  } as unknown as Message;
}

const reset = { type: "conversation_reset", new_conversation_id: "c" } as unknown as Message;

function meterOf(...messages: Message[]): UsageMeter {
  const meter = new UsageMeter();
  for (const message of messages) meter.observe(message);
  return meter;
}

describe("live counts", () => {
  test("take each response once, however many messages it has, and the last counts win", () => {
    const meter = meterOf(
      assistant("a", { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 100 }),
      assistant("a", { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 100 }),
      assistant("b", { input_tokens: 5, output_tokens: 9, cache_creation_input_tokens: 20 }),
      assistant("b", { input_tokens: 5, output_tokens: 7, cache_creation_input_tokens: 20 }),
    );
    expect(meter.live).toEqual({
      inputTokens: 15,
      outputTokens: 8,
      cacheReadInputTokens: 100,
      cacheCreationInputTokens: 20,
    });
  });

  test("take the final output from the stream, which may leave out what it said before", () => {
    const meter = meterOf(
      streamed({ type: "message_start", message: { id: "a", usage: { input_tokens: 10, output_tokens: 1 } } }),
      assistant("a", { input_tokens: 10, output_tokens: 1 }),
      streamed({ type: "message_delta", delta: {}, usage: { output_tokens: 15 } }),
      streamed({ type: "message_delta", delta: {}, usage: { output_tokens: 2 } }, { api_message_id: "b" }),
    );
    expect(meter.live).toMatchObject({ inputTokens: 10, outputTokens: 17 });
  });

  test("leave out what the CLI made up, and take nulls and absence for nothing", () => {
    const meter = meterOf(
      assistant("x", { input_tokens: 3, output_tokens: 3 }, "<synthetic>"),
      { type: "assistant", message: { id: "y", content: [] } } as unknown as Message,
      // Not what their types say: the wire decides, and a meter must not end the session that it counts.
      { type: "assistant" } as unknown as Message,
      { type: "assistant", message: null } as unknown as Message,
      { type: "stream_event", event: null } as unknown as Message,
      assistant("z", { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: null }),
    );
    expect(meter.live).toEqual({
      inputTokens: 1,
      outputTokens: 1,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
    });
  });

  test("stay whole in a session of many responses", () => {
    const meter = new UsageMeter();
    for (let i = 0; i < 3000; i++) meter.observe(assistant(`m${i}`, { input_tokens: 2, output_tokens: 1 }));
    expect(meter.live).toMatchObject({ inputTokens: 6000, outputTokens: 3000 });
  });
});

describe("totals", () => {
  test("are those of the latest result and not a sum", () => {
    const meter = meterOf(
      result(0.1, { m: { inputTokens: 10, costUSD: 0.1 } }),
      result(0.25, { m: { inputTokens: 30, costUSD: 0.25 } }),
    );
    expect(meter.conversation).toEqual({ costUsd: 0.25, models: { m: { inputTokens: 30, costUSD: 0.25 } } });
    expect(meter.total).toEqual(meter.conversation);
  });

  test("outlive a conversation reset, after which the CLI begins at zero", () => {
    const meter = meterOf(
      result(0.5, { m: { inputTokens: 10, costUSD: 0.5, contextWindow: 200 }, n: { inputTokens: 1, costUSD: 0 } }),
      reset,
      result(0, {}, { num_turns: 0 }),
      result(0.25, { m: { inputTokens: 4, costUSD: 0.25, contextWindow: 1000, thinkingTokens: 2 } }),
    );
    expect(meter.conversation.costUsd).toBe(0.25);
    expect(meter.total).toEqual({
      costUsd: 0.75,
      models: {
        m: { inputTokens: 14, costUSD: 0.75, contextWindow: 1000, thinkingTokens: 2 },
        n: { inputTokens: 1, costUSD: 0 },
      },
    });
  });

  test("outlive several resets, also without a result between", () => {
    const meter = meterOf(result(1, {}), reset, reset, result(2, {}), reset, result(4, {}));
    expect(meter.total.costUsd).toBe(7);
  });

  test("pass over the zeros of a CLI that did not start", () => {
    const meter = meterOf(
      result(1, { m: { inputTokens: 1 } }),
      result(0, {}, { subtype: "error_during_execution", is_error: true, num_turns: 0, terminal_reason: undefined }),
    );
    expect(meter.conversation.costUsd).toBe(1);
  });

  test("are zero before the first result, and where a gateway leaves them out", () => {
    expect(new UsageMeter().total).toEqual({ costUsd: 0, models: {} });
    const bare = { type: "result", subtype: "success", is_error: false } as unknown as Message;
    expect(meterOf(bare).total).toEqual({ costUsd: 0, models: {} });
  });
});
