import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import type { Place } from "./program.ts";

export const model: ModelScript = [{ content: text("a", "b"), hold: new Promise(() => {}), afterEvents: 3 }];

export async function run({ options }: Place): Promise<unknown> {
  const session = query({ prompt: "Wait.", options: { ...options, includePartialMessages: true } });
  for (let isRunning = false; !isRunning; ) {
    const { value } = await session.next();
    isRunning = value !== undefined && value.type === "stream_event";
  }
  session.close();
  let last = await session.next();
  while (!last.done) last = await session.next();
  return last;
}
