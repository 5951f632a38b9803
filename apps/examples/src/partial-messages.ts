import { deltaOf, query } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace([text("One, ", "two, ", "three.")]);

const session = query({ prompt: "Count to three.", options: { ...place.options, includePartialMessages: true } });

for await (const message of session) {
  // Pieces of a block, as the model writes them. The whole message follows.
  const delta = deltaOf(message);
  if (delta?.type === "text_delta") console.log(`+ ${delta.text}`);
  if (message.type === "assistant") console.log("the whole message");
}
