import { collect, createToolServer, tool } from "@reins/sdk";
import { text, toolUse } from "@reins/testkit";
import { z } from "zod";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ toolResults: [result] }) =>
  result ? text(`The tool says: ${result.text}`) : toolUse("mcp__calculator__divide", { dividend: 84, divisor: 2 }),
);

// A tool is a function of this program. Its input was checked against the schema; what it throws the model gets to read.
const divide = tool(
  "divide",
  "Divides two numbers.",
  { dividend: z.number(), divisor: z.number() },
  async ({ dividend, divisor }) => {
    if (divisor === 0) throw new Error("Nothing can be divided by 0.");
    return String(dividend / divisor);
  },
);

const { text: answer } = await collect({
  prompt: "Divide 84 by 2.",
  options: {
    ...place.options,
    tools: [],
    mcpServers: { calculator: createToolServer({ name: "calculator", tools: [divide] }) },
    allowedTools: ["mcp__calculator__divide"],
  },
});
console.log(answer);
