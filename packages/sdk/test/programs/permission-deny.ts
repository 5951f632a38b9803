import { type PermissionResult, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result] }) =>
  result ? text(result.text) : toolUse("Bash", { command: "rm -rf build", description: "Clean" });

export async function run({ options }: Place): Promise<unknown> {
  const canUseTool = async (): Promise<PermissionResult> => ({ behavior: "deny", message: "Not in this folder." });
  return record(query({ prompt: "Clean up.", options: { ...options, tools: ["Bash"], canUseTool } }));
}
