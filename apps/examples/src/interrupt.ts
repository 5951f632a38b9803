import { Client, deltaOf, resultOutcome } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

// The first answer never ends.
await using place = await openPlace([
  { content: text("One, ", "two, ", "three, "), afterEvents: 4, hold: new Promise(() => {}) },
  text("Good bye."),
]);

await using client = new Client({ ...place.options, includePartialMessages: true });

const count = await client.send("Count to a million.");
for await (const message of client.receiveResponse()) {
  const delta = deltaOf(message);
  if (delta?.type === "text_delta" && delta.text.includes("two")) await client.interrupt();
}
console.log(`first turn: ${resultOutcome(await count.result).kind}`);

// The session goes on.
console.log(`second turn: ${resultOutcome(await client.ask("Say good bye.")).text}`);
