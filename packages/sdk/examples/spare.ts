import { prewarm } from "@reins/sdk";

await using spare = await prewarm({ options: { canUseTool: () => ({ behavior: "deny", message: "Not here." }) } });
const session = spare.claim({ prompt: "Say hello.", options: { cwd: process.cwd(), model: "haiku" } });
const { sessionId } = await spare.claimed;
console.log(`The spare is the session ${sessionId} now.`);
for await (const message of session) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
