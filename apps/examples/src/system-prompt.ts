import { collect, type Options, presets } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

// Stands in for a model that does as it is told.
await using place = await openPlace(({ systemText }) => {
  const isPirate = systemText.includes("pirate");
  return text(`${isPirate ? "Arr" : "Hello"}. My system prompt is ${systemText.length > 5_000 ? "long" : "short"}.`);
});

// Without any it is empty, as in the official SDK. `presets.claudeCode` alone is that of the terminal.
const choices: Readonly<Record<string, Options["systemPrompt"]>> = {
  "a text": "You are a pirate.",
  "that of Claude Code and more": { ...presets.claudeCode, append: "You are a pirate." },
};

for (const [name, systemPrompt] of Object.entries(choices)) {
  const options = { ...place.options, tools: [], systemPrompt };
  const { text: answer } = await collect({ prompt: "Say hello.", options });
  console.log(`${name}: ${answer}`);
}
