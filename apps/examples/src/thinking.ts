import { query } from "@reins/sdk";
import { text, thinking } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace([[thinking("27 is 3 times 9, ", "so it is not prime."), text("27 is not prime.")]]);

const session = query({
  prompt: "Is 27 prime?",
  options: {
    ...place.options,
    // "adaptive" leaves it to the model how much, "disabled" is none.
    thinking: { type: "enabled", budgetTokens: 2_048 },
    model: "claude-sonnet-4-5",
  },
});

for await (const message of session) {
  if (message.type !== "assistant") continue;
  for (const block of message.message.content) {
    if (block.type === "thinking") console.log(`thinks: ${block.thinking}`);
    if (block.type === "text") console.log(`says: ${block.text}`);
  }
}
