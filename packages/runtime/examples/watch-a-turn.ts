import { createAgent } from "@reins/runtime";

await using agent = createAgent({
  tools: ["Bash"],
  onResponseChunk: ({ delta = "" }) => process.stdout.write(delta),
  onToolProgress: ({ toolName, stage }) => console.log(`[${toolName} ${stage}]`),
  // Ask somebody here. What is no clear yes is a no.
  prompt: ({ type, metadata }) => ({
    value: type === "confirm" && metadata.tool_input?.["command"] === "touch notes.txt",
  }),
});

agent.registerHook("iteration_start", ({ data }) =>
  data.iteration > 20 ? { action: "stop", message: "That is enough for one turn." } : undefined,
);

const session = agent.session();
const { text, toolCalls } = await session.submitMessage("Make the file notes.txt.");
console.log(`\n${text.length} characters, ${toolCalls.length} call`);
