import { deltaOf } from "@reins/messages";
import { query } from "@reins/sdk";

for await (const message of query({ prompt: "Tell me a story.", options: { includePartialMessages: true } })) {
  if (message.type !== "stream_event") continue;
  const delta = deltaOf(message);
  if (delta?.type === "text_delta") process.stdout.write(delta.text);
}
