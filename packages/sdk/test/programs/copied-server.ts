import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result] }) =>
  result ? text(result.text) : toolUse("mcp__calc__boom");

export async function run({ options }: Place): Promise<unknown> {
  const boom = tool("boom", "Fails.", {}, async () => {
    throw new Error("no power");
  });
  const { type, name, instance } = createSdkMcpServer({ name: "calc", tools: [boom] });
  const mcpServers = { calc: { type, name, instance } };
  return record(query({ prompt: "Go.", options: { ...options, mcpServers, allowedTools: ["mcp__calc__boom"] } }));
}
