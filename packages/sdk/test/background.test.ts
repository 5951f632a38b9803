import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { realCli } from "./real-cli.ts";

test("the turn that a shell in the background starts when it ends has its hooks, as the input is held open for it", async () => {
  const shell = "until [ -e go ]; do sleep 0.1; done; echo ended";
  await using setup = await realCli(({ userText, toolResults }) => {
    if (toolResults.length > 0) return text("Done.");
    if (userText === "Run it.") return toolUse("Bash", { command: shell, description: "d", run_in_background: true });
    // What the CLI says by itself when the shell has ended.
    return toolUse("Bash", { command: "echo follow-up", description: "d" });
  });
  const commands: unknown[] = [];
  const session = setup.start("Run it.", {
    tools: ["Bash"],
    allowedTools: ["Bash"],
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
  });
  let results = 0;
  for await (const message of session) {
    // The shell ends behind the first turn, however long that takes.
    if (message.type === "result" && ++results === 1) await writeFile(join(setup.sandbox.cwd, "go"), "");
  }
  expect(commands).toEqual([shell, "echo follow-up"]);
  expect(results).toBe(2);
});
