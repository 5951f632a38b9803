import { createToolServer, query, tool } from "@reins/sdk";
import { z } from "zod";

const stock = new Map([["apples", 12]]);
const count = tool(
  "count",
  "Counts what is in stock.",
  { fruit: z.string() },
  ({ fruit }) => `${stock.get(fruit) ?? 0}`,
);

const session = query({
  prompt: "How many apples are in stock?",
  options: {
    mcpServers: { stock: createToolServer({ name: "stock", tools: [count] }) },
    allowedTools: ["mcp__stock__count"],
    // None of the CLI's own tools.
    tools: [],
  },
});
for await (const message of session) if (message.type === "result") console.log(message);
