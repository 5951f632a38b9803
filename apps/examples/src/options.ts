import { query, resultOutcome } from "@reins/sdk";
import { toolUse } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(() => toolUse("Glob", { pattern: "**/*.ts" }));

const session = query({
  prompt: "Look for TypeScript files until you find some.",
  options: {
    ...place.options,
    model: "haiku",
    systemPrompt: "You are terse.",
    tools: ["Glob", "Read"],
    allowedTools: ["Glob"],
    // Calls of the model, not prompts.
    maxTurns: 2,
    // Written to no file: this session cannot be resumed.
    persistSession: false,
    title: "Files",
  },
});

try {
  for await (const message of session) {
    if (message.type === "system" && message.subtype === "init") {
      console.log(
        `${message.model.includes("haiku") ? "haiku" : message.model}, with ${message.tools.toSorted().join(" and ")}`,
      );
    }
    if (message.type === "result") console.log(`${resultOutcome(message).kind}: ${message.subtype}`);
  }
} catch (error) {
  console.log(error instanceof Error && error.name);
}
