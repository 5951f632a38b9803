import { runBridge } from "@reins/bridge";

const end = await runBridge({
  input: process.stdin,
  output: process.stdout,
  // What the host has no say in.
  options: { maxBudgetUsd: 5, disallowedTools: ["WebFetch", "WebSearch"] },
});

// At the end of its input a program ends by itself.
if (end !== "input-ended") process.stdin.destroy();
