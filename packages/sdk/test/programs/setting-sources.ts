import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { query, type SettingSource } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ body }) =>
  text(String(JSON.stringify(body.messages).includes("The shed is red.")));

export async function run({ options, cwd }: Place): Promise<unknown> {
  await writeFile(join(cwd, "CLAUDE.md"), "The shed is red.");
  const answers: unknown[] = [];
  const choices: SettingSource[][] = [[], ["project"]];
  for (const settingSources of choices)
    answers.push(await record(query({ prompt: "Shed?", options: { ...options, settingSources } })));
  return answers;
}
