import { AbortError, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import type { Place } from "./program.ts";

export const model: ModelScript = [{ content: text("a", "b", "c"), hold: new Promise(() => {}), afterEvents: 3 }];

export async function run({ options }: Place): Promise<unknown> {
  const abortController = new AbortController();
  const session = query({ prompt: "Wait.", options: { ...options, includePartialMessages: true, abortController } });
  let count = 0;
  try {
    for await (const message of session) {
      if (message.type === "stream_event") abortController.abort();
      if (message.type === "assistant") count += 1;
    }
    return "ended";
  } catch (error) {
    return { count, isAbort: error instanceof AbortError, isAborted: abortController.signal.aborted };
  }
}
