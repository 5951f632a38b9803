import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ userText, body }) => text(`${userText} (${body.messages.length})`);

export async function run({ options }: Place): Promise<unknown> {
  const first = await record(query({ prompt: "Remember 7.", options }));
  const resume = first.messages.find((message) => message.type === "result")?.session_id ?? "";
  return [first, await record(query({ prompt: "What was it?", options: { ...options, resume } }))];
}
