import type { Command } from "commander";
import type { CommandHost } from "../command-host.ts";
import { list, positiveInteger, positiveNumber } from "../option-values.ts";
import type { BridgeCommandOptions } from "./serve-bridge.ts";

/** Declares `reins bridge`. */
export function declareBridge(host: CommandHost, program: Command): void {
  host
    .command<BridgeCommandOptions>(program, {
      usage: "bridge",
      description: "hold a session for a host in any language, over lines of JSON on stdin and stdout",
      examples: [
        [
          "reins bridge --max-budget-usd 5 --disallowed-tools WebFetch,WebSearch",
          "started by a host, with limits that it cannot lift",
        ],
      ],
      remarks: `The protocol is described in contracts/bridge-v1.md of the repository. What the options say, a host cannot undo. The bridge ends
when its input does.`,
      hasJson: false,
      load: async () => (await import("./serve-bridge.ts")).serveBridge,
    })
    .option("--model <name>", "model, unless the host names one")
    .option("--max-turns <n>", "end a session after so many turns", positiveInteger)
    .option("--max-budget-usd <n>", "end a session when so much was spent", positiveNumber)
    .option("--disallowed-tools <list>", "tools that may not be used, as rules", list)
    .option("--cwd <path>", "working folder, unless the host names one")
    .option("--claude <path>", "the program of Claude Code");
}
