import { type Options, presets, query } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(() => text("Hello."));

// Which built-in tools there are; [] is none. Which of them run without a question is another option, allowedTools.
const choices: Readonly<Record<string, Options["tools"]>> = {
  "two of them": ["Read", "Grep"],
  "all of them": presets.allTools,
};

for (const [name, tools] of Object.entries(choices)) {
  for await (const message of query({ prompt: "Say hello.", options: { ...place.options, tools } })) {
    if (message.type !== "system" || message.subtype !== "init") continue;
    const list = message.tools.length > 5 ? "more than five" : message.tools.join(", ");
    console.log(`${name}: ${list || "nothing"}`);
  }
}
