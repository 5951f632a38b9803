import { createToolServer, query, tool } from "@reins/sdk";
import { createSandbox, findTestBinary, startScriptedModel, text, toolUse } from "@reins/testkit";
import { z } from "zod";

// The answers of the model, one for each time that it is asked.
await using model = await startScriptedModel([
  toolUse("mcp__stock__count", { fruit: "apples" }),
  text("There are 12."),
]);
await using sandbox = await createSandbox({ model });

const count = tool("count", "Counts what is in stock.", { fruit: z.string() }, () => "12");
const session = query({
  prompt: "How many apples are in stock?",
  options: {
    pathToClaudeCodeExecutable: findTestBinary(),
    cwd: sandbox.cwd,
    env: sandbox.env,
    mcpServers: { stock: createToolServer({ name: "stock", tools: [count] }) },
    allowedTools: ["mcp__stock__count"],
    tools: [],
  },
});
for await (const message of session) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
console.log(model.requests[1]?.toolResults);
model.assertDone();
