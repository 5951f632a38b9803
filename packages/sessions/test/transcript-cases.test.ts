import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeFrames } from "@reins/streamjson";
import { expect, test } from "vitest";
import {
  getSessionMessages,
  projectKeyForPath,
  readTranscript,
  type SessionUsage,
  sessionUsage,
  usageOf,
} from "../src/index.ts";
import { createConfig, type Entry, idOf } from "./transcripts/config.ts";

// Inputs that broke a published SDK.

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/cases/sessions-${name}`, import.meta.url));
}

function expectation(name: string): Record<string, never> {
  return JSON.parse(readFileSync(fixture(`${name}.json`), "utf8")).expect;
}

test("project keys are those of the CLI", () => {
  const { keys } = expectation("project-keys");
  for (const [path, key] of Object.entries(keys ?? {})) expect(projectKeyForPath(path)).toBe(key);
  expect(projectKeyForPath(`/${"a".repeat(200)}`)).toBe(`-${"a".repeat(199)}-b6ymvl`);
  const [one, other] = [`/${"a".repeat(250)}x`, `/${"a".repeat(250)}y`];
  expect(projectKeyForPath(one)).not.toBe(projectKeyForPath(other));
});

test("lines end at a newline only, in every reader", async () => {
  using config = createConfig();
  const path = config.path("/home/user/project", `${idOf(1)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(fixture("separators-in-transcript.ndjson"), path);
  const { messages, lost_lines: lost } = expectation("separators-in-transcript");

  expect(await getSessionMessages(idOf(1))).toHaveLength(messages ?? -1);
  let bad = 0;
  const texts: string[] = [];
  for await (const line of readTranscript(path)) {
    if (line.error !== undefined) bad++;
    else texts.push(line.text);
  }
  expect(bad).toBe(lost);
  expect(texts).toHaveLength(3);
  expect(`${texts.join("\n")}\n`).toBe(readFileSync(path, "utf8"));
});

test("a response in many lines counts once", async () => {
  using config = createConfig();
  const path = config.path("/home/user/project", `${idOf(1)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(fixture("one-response-many-lines.ndjson"), path);

  const { tokens, byDay, totalCostUsd }: SessionUsage = await sessionUsage(idOf(1));

  const { responses, usage } = expectation("one-response-many-lines") as Entry as {
    responses: number;
    usage: Record<string, number>;
  };
  expect(tokens).toEqual({
    responses,
    inputTokens: usage["input_tokens"],
    outputTokens: usage["output_tokens"],
    cacheReadInputTokens: usage["cache_read_input_tokens"],
    cacheCreationInputTokens: 0,
  });
  expect(byDay).toEqual({ "2026-01-01": { m: tokens } });
  expect(totalCostUsd).toBeUndefined();
});

test("totals are read from the last record and never summed", async () => {
  async function* frames() {
    const text = readFileSync(fixture("totals-are-cumulative.ndjson"));
    for await (const frame of decodeFrames(
      (async function* () {
        yield text;
      })(),
    ))
      yield { ...frame.value };
  }

  const usage = await usageOf(frames());

  const { session_total_cost_usd: cost } = expectation("totals-are-cumulative");
  expect(usage.totalCostUsd).toBe(cost);
  expect(usage.modelTotals?.["m"]?.inputTokens).toBe(50);
});
