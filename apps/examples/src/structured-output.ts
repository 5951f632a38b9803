import { collect, outputFormat } from "@reins/sdk";
import { text, toolUse } from "@reins/testkit";
import { z } from "zod";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ toolResults: [result] }) =>
  result ? text("Done.") : toolUse("StructuredOutput", { items: ["apples", "pears"], total: 7.5 }),
);

const format = outputFormat(z.object({ items: z.array(z.string()), total: z.number() }));

const { structuredOutput } = await collect({
  prompt: "Two apples cost 5, a pear costs 2.50. Write the bill.",
  options: { ...place.options, tools: [], outputFormat: format },
});

// The CLI checked it against the JSON Schema; `read` checks it against the schema itself, and gives it its type.
const bill = await format.read(structuredOutput);
console.log(`${bill.items.join(" and ")}: ${bill.total.toFixed(2)}`);
