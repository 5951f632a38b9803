import { type AgentDefinition, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ systemText, toolResults: [result] }) => {
  if (systemText.includes("You count stars.")) return text("There are 12.");
  if (result) return text("The agent is done.");
  return toolUse("Agent", {
    description: "Count stars",
    prompt: "Count.",
    subagent_type: "counter",
    run_in_background: false,
  });
};

export async function run({ options }: Place): Promise<unknown> {
  const agents: Record<string, AgentDefinition> = {
    counter: { description: "Counts.", prompt: "You count stars.", tools: [] },
  };
  return record(
    query({
      prompt: "Count the stars.",
      options: { ...options, agents, tools: ["Agent"], allowedTools: ["Agent"], forwardSubagentText: true },
    }),
  );
}
