import { join } from "node:path";
import { collect, type SettingSource } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ body }) =>
  text(JSON.stringify(body.messages).includes("The shed is red.") ? "It is red." : "I do not know."),
);

// "user" is ~/.claude, "project" and "local" are .claude of the project; CLAUDE.md comes with "project".
const choices: readonly (readonly SettingSource[])[] = [[], ["project"]];
for (const settingSources of choices) {
  const cwd = join(import.meta.dirname, "../project");
  const options = { ...place.options, cwd, settingSources };
  const { text: answer } = await collect({ prompt: "Which colour does the shed have?", options });
  console.log(`${settingSources.join(", ") || "no settings"}: ${answer}`);
}
