import { type Options, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import type { Place } from "./program.ts";

export const model: ModelScript = ({ systemText }) =>
  text(`${systemText.includes("the owl")} ${systemText.includes("the fox")} ${systemText.length > 5000}`);

export async function run({ options }: Place): Promise<unknown> {
  const forms: Pick<Options, "systemPrompt">[] = [
    { systemPrompt: { type: "preset", preset: "claude_code" } },
    { systemPrompt: { type: "preset", preset: "claude_code", append: "You are the owl." } },
  ];
  const answers: unknown[] = [];
  for (const form of forms) {
    for await (const message of query({ prompt: "Who?", options: { ...options, ...form } }))
      if (message.type === "result") answers.push(message.subtype === "success" && message.result);
  }
  return answers;
}
