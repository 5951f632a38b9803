import { createToolServer, query, tool } from "@reins/sdk";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";

test("the agent looks into the stock before it answers", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([toolUse("mcp__stock__count", {}), text("There are 12.")]);
  await using sandbox = await createSandbox({ model });

  const stock = createToolServer({ name: "stock", tools: [tool("count", "Counts.", {}, () => "12")] });
  await using session = query({
    prompt: "How many?",
    options: {
      pathToClaudeCodeExecutable: findTestBinary(),
      cwd: sandbox.cwd,
      env: sandbox.env,
      settingSources: [],
      mcpServers: { stock },
      allowedTools: ["mcp__stock__count"],
    },
  });
  const results: unknown[] = [];
  for await (const message of session) if (message.type === "result") results.push(message);

  expect(results).toMatchObject([{ subtype: "success", result: "There are 12." }]);
  expect(model.requests[1]?.toolResults[0]?.text).toBe("12");
  model.assertDone();
}, 30_000);
