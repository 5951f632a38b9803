import { Client } from "@reins/sdk";

await using client = new Client({});
const turn = await client.send("Count to a million.");
const receipt = await client.interrupt();
console.log(receipt, turn.state);
for await (const message of client.receiveResponse()) if (message.type === "result") console.log(message.subtype);
