import { messageText, query } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace([text("2 + 2 is 4.")]);

// A prompt in, messages out, as they come.
for await (const message of query({ prompt: "How much is 2 + 2?", options: place.options })) {
  if (message.type === "assistant") console.log(`Claude: ${messageText(message)}`);
  if (message.type === "result") console.log(`${message.subtype} after ${message.num_turns} turn`);
}
