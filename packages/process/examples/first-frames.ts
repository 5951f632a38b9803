// Asks the CLI one question and prints the frames of the answer. Uses the login, or the key, that `claude` has.
import { buildLaunch, startClaude } from "@reins/process";

const launch = buildLaunch({ model: "haiku", tools: [], settingSources: [] });
await using claude = startClaude(launch, { stderr: (text) => process.stderr.write(text) });

await claude.send({
  type: "control_request",
  request_id: "1",
  request: { subtype: "initialize", ...launch.initialize },
});
await claude.send({ type: "user", message: { role: "user", content: "What is 6 times 7?" }, parent_tool_use_id: null });

for await (const batch of claude.frames) {
  for (const frame of batch) {
    process.stdout.write(`${frame.type} ${frame.subtype ?? ""}\n`);
    if (frame.type !== "result") continue;
    process.stdout.write(`${frame.value["result"]}\n`);
    await claude.endInput();
  }
}

const { error } = await claude.closed;
if (error !== undefined) throw error;
