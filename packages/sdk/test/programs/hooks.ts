import { type HookCallback, query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result] }) =>
  result ? text(result.text) : toolUse("Bash", { command: "echo ran", description: "Echo" });

export async function run({ options }: Place): Promise<unknown> {
  const seen: unknown[] = [];
  const note: HookCallback = async (input, toolUseID) => {
    seen.push([input.hook_event_name, input.hook_event_name === "Stop" || typeof toolUseID]);
    return { continue: true };
  };
  const context: HookCallback = async () => ({
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "The house is blue." },
  });
  const run = await record(
    query({
      prompt: "Echo.",
      options: {
        ...options,
        tools: ["Bash"],
        allowedTools: ["Bash"],
        hooks: {
          UserPromptSubmit: [{ hooks: [context] }],
          PreToolUse: [
            { matcher: "Bash", hooks: [note] },
            { matcher: "Read", hooks: [note] },
          ],
          PostToolUse: [{ hooks: [note], timeout: 10 }],
          Stop: [{ hooks: [note] }],
        },
      },
    }),
  );
  return { ...run, seen };
}
