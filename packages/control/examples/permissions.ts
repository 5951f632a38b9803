import { ControlClient } from "@reins/control";
import { buildLaunch, startClaude } from "@reins/process";

const launch = buildLaunch({ permissionPromptToolName: "stdio" });
await using client = new ControlClient(startClaude(launch), {
  canUseTool: (name, input) => {
    console.log(`may it use ${name} with ${JSON.stringify(input)}?`);
    return { behavior: "deny", message: "Not here." };
  },
});

const { claude_code_version: version } = await client.initialize(launch.initialize);
console.log(`Claude Code ${version}`);

await client.send({ type: "user", message: { role: "user", content: "Make a file." } });
for await (const frame of client.messages) {
  if (frame.type !== "result") continue;
  console.log(frame.value["result"]);
  break;
}
