import { collect, messageText } from "@reins/sdk";

const { messages, text } = await collect({ prompt: "Say hello." });
console.log(text, messages.length);
for (const message of messages) if (message.type === "assistant") console.log(messageText(message));
