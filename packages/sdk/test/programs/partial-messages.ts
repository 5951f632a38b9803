import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = [text("One ", "two ", "three.")];

export async function run({ options }: Place): Promise<unknown> {
  return record(query({ prompt: "Count.", options: { ...options, includePartialMessages: true } }));
}
