import { query } from "@reins/sdk";

for await (const message of query({ prompt: "What is in this folder?" })) {
  if (message.type === "assistant") {
    for (const block of message.message.content) if (block.type === "text") console.log(block.text);
  }
  if (message.type === "result") console.log(`${message.subtype}, ${message.total_cost_usd} USD`);
}
