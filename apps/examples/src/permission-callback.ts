import { type CanUseTool, query, resultOutcome } from "@reins/sdk";
import { text, toolUse } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ toolResults }, index) => {
  if (index === 0) return toolUse("Bash", { command: "touch plan.txt", description: "Make a file" });
  if (index === 1) return toolUse("Bash", { command: "rm -rf notes", description: "Clean up" });
  return text(`I was told: ${toolResults.at(-1)?.text}`);
});

// Asked about what neither rules nor the permission mode decide. What it throws denies.
const canUseTool: CanUseTool = async (name, input) => {
  const command = String(input["command"]);
  if (name === "Bash" && /^touch [\w.]+$/.test(command)) {
    console.log(`allowed: ${command}`);
    // The tool gets this input, which may be another.
    return { behavior: "allow", updatedInput: input };
  }
  console.log(`denied: ${command}`);
  // The model reads the message, and goes on. With `interrupt: true` its turn ends.
  return { behavior: "deny", message: "Only touch is allowed here." };
};

const session = query({ prompt: "Make a plan.", options: { ...place.options, tools: ["Bash"], canUseTool } });

for await (const message of session) {
  if (message.type !== "result") continue;
  console.log(resultOutcome(message).text);
  console.log(`denials in the result: ${message.permission_denials.length}`);
}
