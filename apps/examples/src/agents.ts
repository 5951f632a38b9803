import { messageText, query, toolUses } from "@reins/sdk";
import { text, toolUse } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ systemText, toolResults: [result] }) => {
  if (systemText.includes("You review code.")) return text("Line 3 divides by zero.");
  if (result) return text("The reviewer found a division by zero.");
  return toolUse("Agent", {
    description: "Review",
    prompt: "Review it.",
    subagent_type: "reviewer",
    run_in_background: false,
  });
});

const session = query({
  prompt: "Let the reviewer look at the code.",
  options: {
    ...place.options,
    // An agent is a conversation of its own, with a prompt, tools and a model of its own. The description tells when to use it.
    agents: {
      reviewer: {
        description: "Reviews code. Use it before every commit.",
        prompt: "You review code. Answer in one sentence.",
        tools: ["Read", "Grep"],
        model: "haiku",
      },
    },
    tools: ["Agent", "Read", "Grep"],
    allowedTools: ["Agent"],
    // What an agent says is in the stream only when asked for; its messages name the tool call that they belong to.
    forwardSubagentText: true,
  },
});

for await (const message of session) {
  for (const { name, input } of toolUses(message)) console.log(`${name}: ${input["subagent_type"]}`);
  if (message.type !== "assistant") continue;
  const said = messageText(message);
  if (said !== "") console.log(`${message.parent_tool_use_id === null ? "Claude" : "reviewer"}: ${said}`);
}
