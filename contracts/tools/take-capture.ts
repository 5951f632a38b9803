import type { Capture } from "./capture-files.ts";
import { joinMirrors } from "./join-mirrors.ts";
import { record } from "./record.ts";
import { baseArgv, type Scenario } from "./scenario.ts";
import { scrub } from "./scrub.ts";

/** Plays a scenario on a binary and makes a capture of it. */
export async function takeCapture(scenario: Scenario, binary: string): Promise<Capture> {
  const recording = await record(scenario, binary);
  const env = Object.entries(scenario.env ?? {}).map(([name, value]) => [name, value ?? null]);
  return {
    name: scenario.name,
    facts: {
      shows: scenario.shows,
      argv: [...(scenario.baseArgv ?? baseArgv), ...(scenario.argv ?? [])],
      env: Object.fromEntries(env),
      exit: recording.exit,
      ...(recording.exitsByItself && { exitsByItself: true }),
    },
    // Joined first, since ids are numbered in the order of the lines.
    lines: scrub({ ...recording, lines: joinMirrors(recording.lines) }),
  };
}
