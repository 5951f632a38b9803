import { Client, messageText, resultOutcome } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ userText }) => text(`You said: ${userText}`));

// A Client keeps one session open for as long as it is needed. `query` with an iterable of prompts does, too: see apps/quickstart.
await using client = new Client(place.options);

// Prompt and answer:
console.log(resultOutcome(await client.ask("First.")).text);

// Everything that happens on the way:
await client.query("Second.");
for await (const message of client.receiveResponse()) {
  if (message.type === "assistant") console.log(messageText(message));
}

// The session can be changed while it runs.
await client.setPermissionMode("plan");
const turn = await client.send("Third.");
console.log(resultOutcome(await turn.result).text);
