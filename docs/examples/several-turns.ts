import { Client, resultOutcome } from "@reins/sdk";

await using client = new Client({ tools: ["Read", "Grep"] });
const turn = await client.send("Which file is the entry?");
console.log(resultOutcome(await turn.result).text);
