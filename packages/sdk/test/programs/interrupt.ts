import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, user } from "./program.ts";

export const model: ModelScript = [
  { content: text("a", "b", "c"), hold: new Promise(() => {}), afterEvents: 3 },
  text("Second."),
];

export async function run({ options }: Place): Promise<unknown> {
  let goOn = (): void => {};
  const interrupted = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield user("First.");
    await interrupted;
    yield user("Second.");
  }
  const session = query({ prompt: prompts(), options: { ...options, includePartialMessages: true } });
  const results: unknown[] = [];
  let isInterrupted = false;
  for await (const message of session) {
    if (message.type === "stream_event" && message.event.type === "content_block_delta" && !isInterrupted) {
      isInterrupted = true;
      await session.interrupt();
    }
    if (message.type === "result") {
      results.push({ subtype: message.subtype, isError: message.is_error, reason: message.terminal_reason });
      goOn();
    }
  }
  return results;
}
