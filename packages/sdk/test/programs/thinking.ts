import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, thinking } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = [[thinking("Let me ", "see."), text("42.")]];

export async function run({ options }: Place): Promise<unknown> {
  return record(
    query({
      prompt: "Think.",
      options: { ...options, model: "claude-sonnet-4-5", thinking: { type: "enabled", budgetTokens: 2048 } },
    }),
  );
}
