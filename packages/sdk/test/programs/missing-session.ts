import { query } from "@anthropic-ai/claude-agent-sdk";
import type { ModelScript } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = [];

export async function run({ options }: Place): Promise<unknown> {
  return record(query({ prompt: "Go on.", options: { ...options, resume: "11111111-2222-4333-8444-555555555555" } }));
}
