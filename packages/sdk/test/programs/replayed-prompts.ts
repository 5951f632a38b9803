import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record, user } from "./program.ts";

export const model: ModelScript = [text("Hello.")];

export async function run({ options }: Place): Promise<unknown> {
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield { ...user("Say hello."), uuid: "11111111-2222-4333-8444-555555555555" };
  }
  return record(query({ prompt: prompts(), options: { ...options, extraArgs: { "replay-user-messages": "" } } }));
}
