import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, user } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result], userText }) =>
  result ? text(result.text) : toolUse("Write", { file_path: `${userText}.txt`, content: "x" });

export async function run({ options, cwd }: Place): Promise<unknown> {
  let isFirst = true;
  let answered = (): void => {};
  const turn = new Promise<void>((resolve) => {
    answered = resolve;
  });
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield user(`${cwd}/first`);
    await turn;
    yield user(`${cwd}/second`);
  }
  const session = query({ prompt: prompts(), options: { ...options, tools: ["Write"] } });
  const answers: unknown[] = [];
  for await (const message of session) {
    if (message.type === "system" && message.subtype === "status") answers.push(message.permissionMode);
    if (message.type !== "result") continue;
    answers.push(message.subtype === "success" && message.result, message.permission_denials);
    if (!isFirst) continue;
    isFirst = false;
    await session.setPermissionMode("acceptEdits");
    answered();
  }
  return answers;
}
