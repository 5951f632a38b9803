import { query } from "@reins/sdk";
import { FileSystemSessionStore } from "@reins/sessions";

await using sessionStore = new FileSystemSessionStore({ root: "/srv/sessions" });
for await (const message of query({ prompt: "Go on.", options: { sessionStore, continue: true } })) {
  // A store that fails loses no turn. It is a message.
  if (message.type === "system" && message.subtype === "mirror_error") console.error(message);
}
