import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type CanUseTool, Client, messageText, resultOutcome } from "@reins/sdk";
import { reconnectingTransport } from "./transport.ts";

// On another machine it would run already. This one loses the connection with the first answer that it gets.
const remoteArgv = [
  "--import=tsx",
  fileURLToPath(new URL("./remote.ts", import.meta.url)),
  "--lose-an-answer",
  ...process.argv.slice(2),
];
const remote = spawn(process.execPath, remoteArgv, { stdio: ["ignore", "pipe", "inherit"] });
const exited = once(remote, "exit");
const [address] = await once(remote.stdout.setEncoding("utf8"), "data");

const asked = new Set<string>();
const canUseTool: CanUseTool = async (name, input, { requestId }) => {
  const command = String(input["command"]);
  console.log(`${asked.has(requestId) ? "asked again" : "asked"}: ${name} ${command}`);
  asked.add(requestId);
  if (name === "Bash" && /^touch [\w.]+$/.test(command)) return { behavior: "allow", updatedInput: input };
  return { behavior: "deny", message: "Only touch is allowed here." };
};

const transport = reconnectingTransport(String(address).trim(), {
  onLost: () => console.log("the connection is lost"),
  onReconnect: () => {
    console.log("the connection is back");
    // An answer that was on its way may be lost. The CLI says which questions are open, and they are asked again.
    client.reinitialize().catch((error: unknown) => console.error(error));
  },
});
const client = new Client({ transport, canUseTool });

// Ctrl-C: closing ends the loop below.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void client.close());

try {
  await client.query("Make an empty file plan.txt, with touch.");
  for await (const message of client.receiveResponse()) {
    if (message.type === "assistant" && messageText(message) !== "") console.log(`Claude: ${messageText(message)}`);
    if (message.type === "result") console.log(resultOutcome(message).kind);
  }
} finally {
  await client.close();
  // It ends with its CLI, but where we could not tell it so it waits for us.
  remote.kill();
  await exited;
}
