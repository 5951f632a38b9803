import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { FrameDecoder } from "@reins/streamjson";
import { expect, test } from "vitest";
import {
  deltaOf,
  type KnownMessage,
  messageText,
  type ParsedFrame,
  parseMessage,
  resultOutcome,
  toolInput,
  toolOutput,
  toolResultsById,
  toolUses,
  UsageMeter,
} from "../src/index.ts";

// Conversations that CLI 2.1.328 wrote against a scripted API. Free text of its makers is replaced.
const folder = join(import.meta.dirname, "fixtures");

async function parseFixture(name: string): Promise<ParsedFrame[]> {
  const decoder = new FrameDecoder();
  const frames = [...decoder.push(await readFile(join(folder, name))), ...decoder.end()];
  return frames.map((frame) => parseMessage(frame));
}

async function messagesOf(name: string): Promise<KnownMessage[]> {
  return (await parseFixture(name)).flatMap((parsed) => (parsed.kind === "message" ? [parsed.message] : []));
}

async function outcomesOf(name: string): Promise<string[]> {
  const results = (await messagesOf(name)).filter((message) => message.type === "result");
  return results.map((result) => resultOutcome(result).kind);
}

test("every frame of every conversation is known", async () => {
  for (const name of await readdir(folder)) {
    const parsed = await parseFixture(name);
    expect(parsed.length).toBeGreaterThan(0);
    expect(parsed.filter(({ kind }) => kind === "unknown")).toEqual([]);
  }
});

test("turns come out as what they were", async () => {
  expect(await outcomesOf("partial-messages.ndjson")).toEqual(["completed", "completed"]);
  expect(await outcomesOf("retry.ndjson")).toEqual(["completed"]);
  expect(await outcomesOf("interrupt.ndjson")).toEqual(["interrupted", "completed"]);
  expect(await outcomesOf("permission-denied.ndjson")).toEqual(["completed", "interrupted"]);
  expect(await outcomesOf("prompt-blocked.ndjson")).toEqual(["prompt-blocked"]);
  expect(await outcomesOf("resume-unknown.ndjson")).toEqual(["not-started"]);
});

test("the deltas of a response join to the text of its messages", async () => {
  const messages = await messagesOf("partial-messages.ndjson");
  let streamed = "";
  let written = "";
  for (const message of messages) {
    const delta = deltaOf(message);
    if (delta?.type === "text_delta") streamed += delta.text;
    if (message.type === "assistant") written += messageText(message);
  }
  expect(streamed).not.toBe("");
  expect(streamed).toBe(written);
});

test("each tool use of the main conversation meets its result and its typed output", async () => {
  const messages = await messagesOf("partial-messages.ndjson");
  const results = toolResultsById(messages);
  const uses = messages.flatMap((message) => toolUses(message));
  expect(uses.length).toBeGreaterThan(0);
  for (const use of uses) expect(results.get(use.id)).toBeDefined();
  expect(uses.map((use) => toolInput("Bash", use)?.command)).toEqual(uses.map(() => "echo hi"));
  const outputs = messages.flatMap((message) => (message.type === "user" ? [toolOutput("Bash", message)?.stdout] : []));
  expect(outputs).toEqual(uses.map(() => "hi"));
});

test("a meter agrees with the CLI's own totals, also over a reset", async () => {
  const streamedMeter = new UsageMeter();
  for (const message of await messagesOf("partial-messages.ndjson")) streamedMeter.observe(message);
  const counted = Object.values(streamedMeter.conversation.models).reduce((sum, usage) => sum + usage.outputTokens, 0);
  expect(streamedMeter.live.outputTokens).toBe(counted);

  const messages = await messagesOf("clear.ndjson");
  const costs = messages.flatMap((message) => (message.type === "result" ? [message.total_cost_usd] : []));
  const meter = new UsageMeter();
  for (const message of messages) meter.observe(message);
  expect(costs).toHaveLength(4);
  expect(costs[2]).toBe(0);
  expect(meter.conversation.costUsd).toBe(costs[3]);
  expect(meter.total.costUsd).toBeCloseTo(costs[1]! + costs[3]!, 10);
});
