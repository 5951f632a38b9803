import { query, type SDKMessage, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, user } from "./program.ts";

export const model: ModelScript = ({ userText }) => text(`About: ${userText}`);

export async function run({ options }: Place): Promise<unknown> {
  let answered = (): void => {};
  const turn = new Promise<void>((resolve) => {
    answered = resolve;
  });
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield user("First.");
    await turn;
    yield user("Second.");
  }
  const messages: SDKMessage[] = [];
  for await (const message of query({ prompt: prompts(), options })) {
    messages.push(message);
    if (message.type === "result") answered();
  }
  return messages;
}
