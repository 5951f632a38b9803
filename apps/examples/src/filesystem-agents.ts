import { join } from "node:path";
import { query, resultOutcome } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace([text("I have an archivist.")]);

const session = query({
  prompt: "Which agents do you have?",
  options: {
    ...place.options,
    // Agents are Markdown files in .claude/agents of a project, and are found only when its settings are read.
    cwd: join(import.meta.dirname, "../project"),
    settingSources: ["project"],
  },
});

for await (const message of session) {
  if (message.type === "system" && message.subtype === "init") {
    console.log(`archivist: ${message.agents?.includes("archivist") ? "found" : "not found"}`);
  }
  if (message.type === "result") console.log(resultOutcome(message).text);
}
