import { parseArgs } from "node:util";
import { findTestBinary } from "@reins/testkit";
import { type Capture, formatCapture, goldenFolder, readCaptures, writeCaptures } from "./capture-files.ts";
import { updateReadme } from "./captures-readme.ts";
import { scenarios } from "./scenarios/index.ts";
import { takeCapture } from "./take-capture.ts";

const usage = `pnpm capture [--scenario NAME]... [--out DIR] [--check]

Plays the scenarios of contracts/tools/scenarios on the pinned CLI and writes the golden captures.
  --scenario NAME  only this one; may be given several times, and may be the beginning of a name
  --out DIR        writes there instead of into contracts/captures
  --check          writes nothing; fails when a capture would change`;

const { values } = parseArgs({
  options: {
    scenario: { type: "string", multiple: true },
    out: { type: "string" },
    check: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function textOf({ facts, lines }: Capture): string {
  return JSON.stringify(facts) + formatCapture(lines);
}

if (values.help) {
  console.log(usage);
} else {
  const folder = values.out ?? goldenFolder;
  const wanted = scenarios.filter(({ name }) => values.scenario?.some((start) => name.startsWith(start)) ?? true);
  if (wanted.length === 0) throw new Error(`There is no scenario ${values.scenario?.join(", ")}.`);
  const binary = findTestBinary();
  let faults = 0;
  for (const scenario of wanted) {
    if (scenario.onlyOn !== undefined && scenario.onlyOn !== process.platform) {
      console.log(`${scenario.name}: left out, it can only be made on ${scenario.onlyOn}`);
      continue;
    }
    try {
      const capture = await takeCapture(scenario, binary);
      if (values.check) {
        const [golden] = await readCaptures(folder, [scenario.name]);
        const isSame = golden !== undefined && textOf(golden) === textOf(capture);
        if (!isSame) faults += 1;
        console.log(`${scenario.name}: ${isSame ? "the same" : "CHANGED"}`);
      } else {
        await writeCaptures(
          folder,
          [capture],
          scenarios.map(({ name }) => name),
        );
        console.log(`${scenario.name}: ${capture.lines.length} lines`);
      }
    } catch (error) {
      faults += 1;
      console.error(error);
    }
  }
  if (!values.check && values.out === undefined) await updateReadme();
  process.exitCode = faults === 0 ? 0 : 1;
}
