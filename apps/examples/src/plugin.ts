import { join } from "node:path";
import { query, resultOutcome } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ userText }) =>
  text(userText.includes("Say hello to Ada.") ? "Hello, Ada!" : "I do not know that command."),
);

const session = query({
  // A command of the plugin; the CLI puts its text in place of it.
  prompt: "/greeter:greet Ada",
  options: { ...place.options, plugins: [{ type: "local", path: join(import.meta.dirname, "../plugin") }] },
});

for await (const message of session) {
  if (message.type === "system" && message.subtype === "init") {
    const isLoaded = message.plugins?.some(({ name }) => name === "greeter");
    console.log(`the plugin is ${isLoaded ? "loaded" : "missing"}`);
  }
  if (message.type === "result") console.log(resultOutcome(message).text);
}
