import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, user } from "./program.ts";

export const model: ModelScript = ({ body }) => text(body.model);

export async function run({ options }: Place): Promise<unknown> {
  let isFirst = true;
  let answered = (): void => {};
  const turn = new Promise<void>((resolve) => {
    answered = resolve;
  });
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield user("First.");
    await turn;
    yield user("Second.");
  }
  const session = query({ prompt: prompts(), options: { ...options, model: "claude-sonnet-4-5" } });
  const models: unknown[] = [];
  for await (const message of session) {
    if (message.type === "assistant") models.push(message.message.model, message.message.content);
    if (message.type !== "result" || !isFirst) continue;
    isFirst = false;
    await session.setModel("claude-haiku-4-5");
    answered();
  }
  return models;
}
