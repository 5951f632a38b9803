import { type HookInput, type HookJSONOutput, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result] }) =>
  result ? text(result.text) : toolUse("Bash", { command: "echo ran", description: "Echo" });

export async function run({ options }: Place): Promise<unknown> {
  const refuse = async (input: HookInput): Promise<HookJSONOutput> => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: input.hook_event_name === "PreToolUse" ? `No ${input.tool_name} today.` : "No.",
    },
  });
  const hooks = { PreToolUse: [{ hooks: [refuse] }] };
  return record(query({ prompt: "Echo.", options: { ...options, tools: ["Bash"], allowedTools: ["Bash"], hooks } }));
}
