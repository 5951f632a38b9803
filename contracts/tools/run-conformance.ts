import { spawnSync } from "node:child_process";
import { createSandbox } from "@reins/testkit";
import { readCaptures } from "./capture-files.ts";
import { compareCaptures, type Drift } from "./drift.ts";
import type { Scenario } from "./scenario.ts";
import { takeCapture } from "./take-capture.ts";

/** What a binary is compared with. */
export interface ConformanceRun {
  readonly binary: string;
  /** Folder of the golden captures. */
  readonly golden: string;
  readonly scenarios: readonly Scenario[];
  /** Told of each scenario when it is done, and of each that is left out. */
  readonly onProgress?: (line: string) => void;
}

/** Plays the scenarios on a binary and lists every difference from the golden captures. A scenario that it cannot play is one, too. */
export async function runConformance({
  binary,
  golden,
  scenarios,
  onProgress = () => {},
}: ConformanceRun): Promise<Drift[]> {
  const version = await versionOf(binary);
  const drift: Drift[] = [];
  for (const scenario of scenarios) {
    const { name, onlyOn = process.platform } = scenario;
    if (onlyOn !== process.platform) {
      onProgress(`${name}: left out, it can only be played on ${onlyOn}`);
      continue;
    }
    try {
      const [before] = await readCaptures(golden, [name]);
      const found = compareCaptures(before!, await takeCapture(scenario, binary), version);
      drift.push(...found);
      onProgress(`${name}: ${found.length === 0 ? "the same" : `${found.length} differences`}`);
    } catch (error) {
      const detail = reasonOf(error);
      drift.push({ capture: name, kind: "scenario", change: "removed", path: "", detail });
      onProgress(`${name}: ${detail}`);
    }
  }
  return drift;
}

/** The first line of the innermost reason; the rest is what the CLI wrote last. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const [first = ""] = error.message.split("\n");
  return first.slice(0, 200);
}

/** The version that a binary says it has. Asked in a sandbox, like everything. */
export async function versionOf(binary: string): Promise<string> {
  await using sandbox = await createSandbox();
  // As text, so that a folder in the name is no matter; without a shell.
  const { stdout, error, status } = spawnSync(binary, ["--version"], {
    ...sandbox.spawnOptions(),
    encoding: "utf8",
    timeout: 30_000,
  });
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout ?? "")?.[0];
  if (version === undefined)
    throw new Error(`${binary} does not tell its version (exit code ${status}).`, { cause: error });
  return version;
}
