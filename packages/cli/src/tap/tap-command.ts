import type { Command } from "commander";
import type { CommandHost } from "../command-host.ts";
import type { TapRunOptions } from "./run-tap.ts";
import type { WriteScriptOptions } from "./write-script.ts";

/** Declares `reins tap`. */
export function declareTap(host: CommandHost, program: Command): void {
  const group = host.group(program, "tap", "record what Claude Code says to the model, and look at it");
  host
    .command<TapRunOptions>(group, {
      usage: "run <command...>",
      description: "run a command with its requests to the model recorded",
      examples: [
        ["reins tap run --dir capture -- claude -p 'Say hello.'", "then: reins tap show capture"],
        ["reins tap run --dir capture -- npm run agent", "any program that uses ANTHROPIC_BASE_URL"],
      ],
      remarks: `Each request becomes a file, credentials redacted; the rest of the conversation is in it as it was. The exit code is that of the
command. Options of the command go behind --.`,
      hasJson: false,
      load: async () => (await import("./run-tap.ts")).runTap,
    })
    .option("--dir <folder>", "where to", "capture")
    .option("--upstream <url>", "the API (default: ANTHROPIC_BASE_URL, else api.anthropic.com)")
    .passThroughOptions();
  host.command<object>(group, {
    usage: "show [folder]",
    description: "sum a capture up: sizes, tokens, cache, what changed from call to call",
    examples: [
      ["reins tap show capture", "a line for each call"],
      ["reins tap show capture --json | jq '.calls[].changes'", "why the cache misses"],
    ],
    load: async () => (await import("./show-capture.ts")).showCapture,
  });
  host
    .command<WriteScriptOptions>(group, {
      usage: "script [folder]",
      description: "turn a capture into a script for the scripted model of @reins/testkit",
      examples: [
        [
          "reins tap script capture --out test/session.script.ts",
          "a session that was real, for a test without a model",
        ],
        ["reins tap script capture | head", "what the model answered"],
      ],
      remarks: `The script is a module in TypeScript: the answers of the model, in the order of the calls, with their pieces, token counts, errors
and cuts. In a test: await startScriptedModel(script). What was said in the session is in it as it was.`,
      hasJson: false,
      load: async () => (await import("./write-script.ts")).writeScript,
    })
    .option("--out <file>", "write it to this file, not to stdout");
}
