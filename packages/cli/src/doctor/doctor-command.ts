import type { Command } from "commander";
import type { CommandHost } from "../command-host.ts";
import type { DoctorOptions } from "./run-doctor.ts";

/** Declares `reins doctor`. */
export function declareDoctor(host: CommandHost, program: Command): void {
  host
    .command<DoctorOptions>(program, {
      usage: "doctor",
      description: "look whether everything is there that sessions need",
      examples: [
        ["reins doctor", "each check, and what to do where one fails"],
        ["reins doctor --json | jq 'select(.status != \"ok\")'", "what is not as it should be"],
      ],
      remarks: `It looks for the program and its version, the login (Claude Code is asked whether there is one; no credential is read), the
configuration folder, what sandboxed commands need, the packages for stores, and has a whole turn run: Claude Code in a
temporary folder with no login of yours, answered by a model on this machine that knows one sentence. Nothing is sent
anywhere. Exit code 1 when a check fails; warnings are none.`,
      load: async () => (await import("./run-doctor.ts")).runDoctor,
    })
    .option("--claude <path>", "the program of Claude Code")
    .option("--no-round-trip", "leave the turn out");
}
