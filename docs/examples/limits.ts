import { query } from "@reins/sdk";

const session = query({
  prompt: "Summarise the tickets.",
  options: {
    maxTurns: 20,
    maxBudgetUsd: 0.5,
    // No frame for so long, while a turn runs: StreamStalledError.
    idleTimeoutMs: 120_000,
    abortController: new AbortController(),
  },
});
for await (const message of session) if (message.type === "result") console.log(message.subtype);
