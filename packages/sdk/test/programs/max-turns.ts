import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = () => toolUse("Bash", { command: "echo again", description: "Echo" });

export async function run({ options }: Place): Promise<unknown> {
  return record(
    query({ prompt: "Go on and on.", options: { ...options, tools: ["Bash"], allowedTools: ["Bash"], maxTurns: 2 } }),
  );
}
