import { Client, messageText, resultOutcome } from "@reins/sdk";

await using client = new Client({ tools: ["Read", "Grep"] });

await client.query("Which module handles VAT?");
for await (const message of client.receiveResponse()) {
  if (message.type === "assistant") console.log(messageText(message));
}

const turn = await client.send("Does it handle reverse charge?");
const second = await client.send("Answer in one sentence.", { priority: "later" });
console.log(resultOutcome(await turn.result).text);
console.log(resultOutcome(await second.result).text);
