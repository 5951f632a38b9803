import { type CanUseTool, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = [toolUse("Bash", { command: "rm -rf build", description: "Clean" })];

export async function run({ options }: Place): Promise<unknown> {
  const canUseTool: CanUseTool = async () => ({ behavior: "deny", message: "Stop.", interrupt: true });
  return record(query({ prompt: "Clean up.", options: { ...options, tools: ["Bash"], canUseTool } }));
}
