// claude -p "What is in this folder?" --output-format stream-json --verbose | npx tsx summary.ts
import { messageText, parseMessage, resultOutcome, toolInput, toolUses, UsageMeter } from "@reins/messages";
import { decodeFrames } from "@reins/streamjson";

const meter = new UsageMeter();
for await (const frame of decodeFrames(process.stdin)) {
  const parsed = parseMessage(frame);
  if (parsed.kind !== "message") continue;
  const { message } = parsed;
  meter.observe(message);
  if (message.type === "assistant") {
    const text = messageText(message);
    if (text !== "") console.log(text);
    for (const use of toolUses(message)) console.log(`> ${use.name} ${toolInput("Bash", use)?.command ?? ""}`);
  }
  if (message.type === "result") console.log(`= ${resultOutcome(message).kind}`);
}
console.log(`$ ${meter.total.costUsd.toFixed(4)}`);
