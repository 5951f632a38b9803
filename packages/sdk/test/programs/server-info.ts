import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { ModelScript } from "@reins/testkit";
import type { Place } from "./program.ts";

export const model: ModelScript = [];

export async function run({ options }: Place): Promise<unknown> {
  async function* silence(): AsyncGenerator<SDKUserMessage> {
    await new Promise(() => {});
  }
  const session = query({ prompt: silence(), options });
  const info = {
    commands: await session.supportedCommands(),
    models: await session.supportedModels(),
    agents: await session.supportedAgents(),
    account: await session.accountInfo(),
    initialization: await session.initializationResult(),
  };
  session.close();
  return info;
}
