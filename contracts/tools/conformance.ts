import { parseArgs } from "node:util";
import { locateClaude } from "@reins/process";
import { goldenFolder } from "./capture-files.ts";
import { reportDrift } from "./drift-report.ts";
import { describePaid, runPaid } from "./paid.ts";
import { runConformance, versionOf } from "./run-conformance.ts";
import { scenarios } from "./scenarios/index.ts";

const usage = `pnpm conformance (--binary PATH | --live | --paid [--yes]) [--scenario NAME]... [--golden DIR]

Compares a version of the CLI with the golden captures, frame by frame. Exit code 1 when there is drift.
  --binary PATH    plays the scenarios on this binary; scripted model, sandbox, no tokens
  --live           the same on the CLI that is installed on this machine
  --paid           a few plain turns with the real model and your own login; says what it would do
  --yes            does it
  --scenario NAME  only this one; may be given several times, and may be the beginning of a name
  --golden DIR     other captures to compare with`;

const { values } = parseArgs({
  options: {
    binary: { type: "string" },
    live: { type: "boolean", default: false },
    paid: { type: "boolean", default: false },
    yes: { type: "boolean", default: false },
    scenario: { type: "string", multiple: true },
    golden: { type: "string", default: goldenFolder },
    help: { type: "boolean", default: false },
  },
});

const tiers = [values.binary !== undefined, values.live, values.paid].filter(Boolean).length;
if (values.help || tiers !== 1) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  // Not the one that this repository pins.
  const binary = values.binary ?? locateClaude({ searchFrom: [] }).path;
  console.log(`${binary}, version ${await versionOf(binary)}`);
  if (values.paid && !values.yes) {
    console.log(describePaid());
  } else {
    const wanted = scenarios.filter(({ name }) => values.scenario?.some((start) => name.startsWith(start)) ?? true);
    const onProgress = (line: string): void => console.log(line);
    const drift = values.paid
      ? await runPaid({ binary, golden: values.golden, onProgress })
      : await runConformance({ binary, golden: values.golden, scenarios: wanted, onProgress });
    console.log(drift.length === 0 ? "No drift." : `\n${reportDrift(drift)}`);
    process.exitCode = drift.length === 0 ? 0 : 1;
  }
}
