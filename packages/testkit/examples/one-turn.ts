import { spawn } from "node:child_process";
import { decodeFrames, encodeFrame } from "@reins/streamjson";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";

await using _leaks = startLeakCheck();
await using model = await startScriptedModel([toolUse("Bash", { command: "echo 6 times 7" }), text("It is 42.")]);
await using sandbox = await createSandbox({ model });

const argv = ["--output-format=stream-json", "--verbose", "--input-format=stream-json", "--allowedTools=Bash"];
const child = spawn(findTestBinary(), argv, { ...sandbox.spawnOptions(), stdio: ["pipe", "pipe", "inherit"] });
child.stdin.end(encodeFrame({ type: "user", message: { role: "user", content: "How much is 6 times 7?" } }));
for await (const { value } of decodeFrames(child.stdout)) {
  if (value.type === "result") process.stdout.write(`${value["result"]}\n`);
}

process.stdout.write(`The tool said: ${model.requests[1]?.toolResults[0]?.text}\n`);
model.assertDone();
