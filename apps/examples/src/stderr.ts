import { collect } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace([text("Hello.")]);

const lines: string[] = [];
const { text: answer } = await collect({
  prompt: "Say hello.",
  options: {
    ...place.options,
    // What the CLI writes to its standard error, line by line; `stderr` gets it as it comes. Quiet without `debug`.
    onStderrLine: (line) => lines.push(line),
    debug: true,
    extraArgs: { "debug-to-stderr": null },
  },
});
console.log(answer);
console.log(lines.some((line) => line.includes("[DEBUG]")) ? "and debug lines beside it" : "and nothing beside it");
