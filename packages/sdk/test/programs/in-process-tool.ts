import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { z } from "zod";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result] }) =>
  result ? text(`It is ${result.text}.`) : toolUse("mcp__calc__add", { a: 2, b: 40 });

export async function run({ options }: Place): Promise<unknown> {
  const add = tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  const calc = createSdkMcpServer({ name: "calc", version: "1.0.0", tools: [add] });
  return record(
    query({ prompt: "2 + 40?", options: { ...options, mcpServers: { calc }, allowedTools: ["mcp__calc__add"] } }),
  );
}
