import { type CanUseTool, query } from "@reins/sdk";

const canUseTool: CanUseTool = async (name, input, { signal, suggestions }) => {
  if (name === "Bash" && String(input["command"]).startsWith("git log"))
    return { behavior: "allow", updatedInput: input };
  signal.throwIfAborted();
  return { behavior: "deny", message: `Not allowed here. A rule for it would be ${JSON.stringify(suggestions)}.` };
};

for await (const message of query({ prompt: "What changed?", options: { canUseTool } })) console.log(message.type);
