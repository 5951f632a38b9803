import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { collect } from "../src/index.ts";

test("the turn that a shell in the background starts when it ends has its hooks, as the input is held open for it", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ userText, toolResults }) => {
    if (toolResults.length > 0) return text("Done.");
    if (userText === "Run it.")
      return toolUse("Bash", { command: "sleep 2; echo ended", description: "d", run_in_background: true });
    // What the CLI says by itself when the shell has ended.
    return toolUse("Bash", { command: "echo follow-up", description: "d" });
  });
  await using sandbox = await createSandbox({ model });
  const commands: unknown[] = [];
  const { messages } = await collect({
    prompt: "Run it.",
    options: {
      pathToClaudeCodeExecutable: findTestBinary(),
      cwd: sandbox.cwd,
      env: sandbox.env,
      tools: ["Bash"],
      allowedTools: ["Bash"],
      settingSources: [],
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async (input) => {
                commands.push((input.tool_input as { command: string }).command);
                return {};
              },
            ],
          },
        ],
      },
    },
  });
  expect(commands).toEqual(["sleep 2; echo ended", "echo follow-up"]);
  expect(messages.filter(({ type }) => type === "result")).toHaveLength(2);
});
