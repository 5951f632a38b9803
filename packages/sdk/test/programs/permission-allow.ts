import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CanUseTool, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result] }) =>
  result ? text(result.text) : toolUse("Bash", { command: "echo made > made.txt", description: "Make a file" });

export async function run({ options, cwd }: Place): Promise<unknown> {
  const asked: unknown[] = [];
  const canUseTool: CanUseTool = async (toolName, input, { signal, suggestions, toolUseID }) => {
    asked.push({ toolName, input, isAborted: signal.aborted, suggestions, hasId: typeof toolUseID === "string" });
    return { behavior: "allow", updatedInput: { ...input, command: "echo changed > made.txt" } };
  };
  const seen = await record(query({ prompt: "Make a file.", options: { ...options, tools: ["Bash"], canUseTool } }));
  return { ...seen, asked, file: await readFile(join(cwd, "made.txt"), "utf8") };
}
