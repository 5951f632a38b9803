import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import type { Place } from "./program.ts";

export const model: ModelScript = [text("One."), text("Two.")];

export async function run({ options }: Place): Promise<unknown> {
  const kinds: string[] = [];
  const session = query({ prompt: "Go.", options });
  for await (const message of session) {
    kinds.push(message.type);
    if (message.type === "assistant") break;
  }
  return { kinds, after: await session.next() };
}
