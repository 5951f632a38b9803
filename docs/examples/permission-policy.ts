import { allowAlways, permissionPolicy } from "@reins/sdk";

const canUseTool = permissionPolicy({
  allow: ["Bash(git log:*)", "Read"],
  ask: ["Bash(git push:*)"],
  deny: ["Read(.env)"],
  onAsk: (_name, input, { suggestions }) => allowAlways(input, suggestions),
});
console.log(typeof canUseTool);
