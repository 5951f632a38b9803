import type { Command } from "commander";
import type { CommandHost } from "../command-host.ts";
import { each } from "../option-values.ts";
import type { FramesOptions } from "./run-frames.ts";

/** Declares `reins frames`. */
export function declareFrames(host: CommandHost, program: Command): void {
  host
    .command<FramesOptions>(program, {
      usage: "frames [file]",
      description: "read stream-json from a file or a pipe: show, check, count, filter",
      examples: [
        ["claude -p hi --output-format stream-json --verbose | reins frames", "show what Claude Code says"],
        ["reins frames log.ndjson --validate", "check each frame against its schema"],
        ["reins frames log.ndjson --filter '!stream_event' --json > small.ndjson", "leave a kind out"],
        ["reins frames log.ndjson --filter system/init --filter result", "two kinds only"],
      ],
      remarks: `A filter is a type, or type/subtype; with ! before it, it leaves frames out. A frame is shown when it fits one of the filters
(or there are none), and none with !. Lines that are not JSON are said on stderr. Exit code 1 when there were any, and with
--validate when a frame has a flaw. With --json the frames are written as they are.`,
      load: async () => (await import("./run-frames.ts")).runFrames,
    })
    .option("--filter <kind>", "only frames of this kind (may be repeated)", each)
    .option("--validate", "check instead, and write the flaws")
    .option("--stats", "count instead, by kind");
}
