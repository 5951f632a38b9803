import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, user } from "./program.ts";

export const model: ModelScript = [text("Hello.")];

export async function run({ options }: Place): Promise<unknown> {
  let answered = (): void => {};
  const turn = new Promise<void>((resolve) => {
    answered = resolve;
  });
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield user("First.");
    await turn;
  }
  const session = query({ prompt: prompts(), options });
  for await (const message of session) {
    if (message.type !== "result") continue;
    const usage = await session.getContextUsage();
    answered();
    for await (const _ of session);
    return { model: usage.model, names: usage.categories.map(({ name }) => name), tokens: usage.totalTokens };
  }
  return undefined;
}
