import {
  createSdkMcpServer,
  type McpServerConfig,
  query,
  type SDKUserMessage,
  tool,
} from "@anthropic-ai/claude-agent-sdk";
import type { ModelScript } from "@reins/testkit";
import type { Place } from "./program.ts";

export const model: ModelScript = [];

export async function run({ options }: Place): Promise<unknown> {
  async function* silence(): AsyncGenerator<SDKUserMessage> {
    await new Promise(() => {});
  }
  const ping = tool("ping", "Answers.", {}, async () => ({ content: [{ type: "text", text: "pong" }] }));
  const mcpServers: Record<string, McpServerConfig> = { calc: createSdkMcpServer({ name: "calc", tools: [ping] }) };
  const session = query({ prompt: silence(), options: { ...options, mcpServers } });
  await session.initializationResult();
  const before = await session.mcpServerStatus();
  const set = await session.setMcpServers({ other: createSdkMcpServer({ name: "other", tools: [ping] }) });
  const after = await session.mcpServerStatus();
  await session.toggleMcpServer("other", false);
  const off = await session.mcpServerStatus();
  session.close();
  return { before, set, after, off };
}
