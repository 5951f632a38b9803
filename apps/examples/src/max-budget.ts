import { query, resultOutcome } from "@reins/sdk";
import { toolUse } from "@reins/testkit";
import { openPlace } from "./place.ts";

// Goes on and on, and is expensive.
await using place = await openPlace(() => ({
  content: toolUse("Bash", { command: "echo more", description: "Go on" }),
  usage: { input_tokens: 1_000_000 },
}));

const session = query({
  prompt: "Say more, with the tool, until you are told to stop.",
  options: { ...place.options, tools: ["Bash"], allowedTools: ["Bash"], maxBudgetUsd: 0.05 },
});

try {
  for await (const message of session) {
    if (message.type !== "result") continue;
    // Looked at between calls of the model, so the last call may overrun the budget.
    const outcome = resultOutcome(message);
    console.log(outcome.kind === "limit-reached" ? `stopped by the limit: ${outcome.limit}` : outcome.kind);
    console.log(`over the budget: ${message.total_cost_usd > 0.05}`);
  }
} catch (error) {
  // Behind an error result the loop throws. A ResultError has the result.
  console.log(error instanceof Error && error.name);
}
