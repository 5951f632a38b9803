import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = () => ({
  content: toolUse("Bash", { command: "echo again", description: "Echo" }),
  usage: { input_tokens: 1_000_000 },
});

export async function run({ options }: Place): Promise<unknown> {
  return record(
    query({ prompt: "Spend.", options: { ...options, tools: ["Bash"], allowedTools: ["Bash"], maxBudgetUsd: 0.01 } }),
  );
}
