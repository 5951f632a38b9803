import { spawn } from "node:child_process";
import { once } from "node:events";
import { readCapture, startWiretap, summarizeCapture } from "@reins/wiretap";

const dir = "capture";
const wiretap = await startWiretap({ dir });
const child = spawn("claude", ["-p", "Say hello."], { env: wiretap.env(), stdio: ["ignore", "inherit", "inherit"] });
await once(child, "exit");
await wiretap.close();

const { calls } = summarizeCapture(await readCapture(dir));
for (const { number, model, systemChars, toolNames, usage } of calls) {
  const parts = `${systemChars} characters of system prompt, ${toolNames.length} tools`;
  console.log(
    `${number}: ${model}, ${parts}, ${usage?.inputTokens} tokens in, ${usage?.cacheReadTokens} from the cache`,
  );
}
