import { allowAlways, permissionPolicy, query } from "@reins/sdk";

const canUseTool = permissionPolicy({
  allow: ["Bash(git log:*)", "Read"],
  deny: ["Read(.env)"],
  onAsk: (_name, input, { suggestions }) => allowAlways(input, suggestions),
});

for await (const message of query({ prompt: "What changed this week?", options: { canUseTool } }))
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
