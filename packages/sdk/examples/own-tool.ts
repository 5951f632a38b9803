import { createToolServer, query, tool } from "@reins/sdk";
import { z } from "zod";

const add = tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, async ({ a, b }) => String(a + b));

const session = query({
  prompt: "What is 2 + 40? Use the tool.",
  options: {
    mcpServers: { calc: createToolServer({ name: "calc", tools: [add] }) },
    allowedTools: ["mcp__calc__add"],
  },
});

for await (const message of session) {
  if (message.type === "result" && message.subtype === "success" && !message.is_error) console.log(message.result);
}
