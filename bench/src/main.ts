import { cpus } from "node:os";
import { frameCount, frames } from "./frames.ts";
import { type Samples, spread } from "./measure.ts";
import { loopLength, sessionLoops } from "./session-loop.ts";
import { sessionReads } from "./session-reads.ts";
import { coldStarts, warmStarts } from "./starts.ts";
import { toolCalls, toolLoads } from "./tool-calls.ts";
import { typeChecks } from "./type-checks.ts";

const rounds = 7;

/** One line for each contender, with the ratio of the first one to it. */
function table(samples: readonly Samples[], columns: (samples: Samples) => readonly string[]): string {
  const own = samples[0];
  const lines = samples.map((each) => {
    const faster = own === undefined ? Number.NaN : medianOf(each, "wallMs") / medianOf(own, "wallMs");
    const lighter = own === undefined ? Number.NaN : medianOf(own, "cpuMs") / medianOf(each, "cpuMs");
    const ratio = `ours is ${faster.toFixed(2)} x as fast and takes ${lighter.toFixed(2)} of its CPU`;
    return [each.name.padEnd(14), ...columns(each), ratio].join("  ");
  });
  return lines.join("\n");
}

function medianOf({ costs }: Samples, cost: "wallMs" | "cpuMs"): number {
  return spread(costs.map((each) => each[cost])).median;
}

function column(values: readonly number[], digits: number, unit: string): string {
  const { median, min, max } = spread(values);
  return `${median.toFixed(digits).padStart(6)} ${unit} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown CPU"}`);
console.log(`${rounds} rounds in turn, medians (lowest to highest)`);

console.log(`\n${frameCount} small frames through query()`);
const frameColumns = ({ costs }: Samples): string[] => [
  column(
    costs.map(({ wallMs }) => frameCount / wallMs),
    0,
    "k frames/s",
  ),
  column(
    costs.map(({ cpuMs }) => cpuMs),
    0,
    "ms CPU",
  ),
];
console.log(table(await frames(rounds), frameColumns));

for (const load of toolLoads) {
  const count = load.batches * load.parallel;
  const digits = load.resultLength > 1_000_000 ? 1 : 3;
  const callColumns = ({ costs }: Samples): string[] => [
    column(
      costs.map(({ wallMs }) => wallMs / count),
      digits,
      "ms a call",
    ),
    column(
      costs.map(({ cpuMs }) => cpuMs / count),
      digits,
      "ms CPU a call",
    ),
  ];
  console.log(`\n${count} calls of a tool in this process: ${load.name}`);
  console.log(table(await toolCalls(load, rounds), callColumns));
}

console.log(
  "\nTranscripts: each call in a process of its own, medians of 3 rounds (lowest to highest), memory above the start",
);
console.log(await sessionReads(3));

const startColumns = ({ costs }: Samples): string[] => [
  column(
    costs.map(({ wallMs }) => wallMs),
    0,
    "ms",
  ),
  column(
    costs.map(({ cpuMs }) => cpuMs),
    1,
    "ms CPU",
  ),
];
console.log("\nThe real CLI, from query() to the init message");
console.log(table(await coldStarts(rounds, "init"), startColumns));
console.log("\nThe real CLI, from query() to the first message of the model");
console.log(table(await coldStarts(rounds, "assistant"), startColumns));
console.log("\nThe real CLI, started ahead: from the prompt to the init message");
console.log(table(await warmStarts(rounds), startColumns));

console.log("\nThe compiler, for a small program of a user");
console.log(table(await typeChecks(rounds), startColumns));

console.log(`\nWhat ${loopLength} sessions leave in this process, for each`);
for (const { name, heapBytes, residentBytes, listeners } of await sessionLoops()) {
  const memory = `${(heapBytes / 1024).toFixed(1)} KiB of heap, ${(residentBytes / 1024).toFixed(1)} KiB resident`;
  console.log(`${name.padEnd(14)}  ${memory}, ${listeners} listeners in all`);
}
