// Prints how ours compares with the official SDK and with the least that any host has to do.
//
//   pnpm bench                 every row
//   pnpm bench --quick         small loads and few rounds, under two minutes
//   pnpm bench --row NAME      this row only; may be given several times
//   pnpm bench --json FILE     the numbers as JSON, too
//   pnpm bench --list          names and titles
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { compiler } from "./compiler.ts";
import { controlRows } from "./control.ts";
import { deltaLatency } from "./delta-latency.ts";
import { frameRows } from "./frames.ts";
import { imports } from "./imports.ts";
import { memoryRows } from "./memory.ts";
import { rawRouting } from "./raw-routing.ts";
import type { Effort, Row } from "./row.ts";
import { sessionLoop } from "./session-loop.ts";
import { sessionRows } from "./session-reads.ts";
import { sessionsAtOnce } from "./sessions-at-once.ts";
import { sizes } from "./sizes.ts";
import { startRows } from "./starts.ts";
import { postgresRows } from "./store-postgres.ts";
import { redisRows } from "./store-redis.ts";
import { s3StoreRows } from "./store-s3.ts";
import { toJson, toTable } from "./table.ts";
import { toolRows } from "./tool-calls.ts";
import { wiretapLatency } from "./wiretap.ts";

const rows: readonly Row[] = [
  imports,
  sizes,
  compiler,
  ...frameRows,
  rawRouting,
  deltaLatency,
  ...controlRows,
  ...toolRows,
  ...startRows,
  sessionLoop,
  sessionsAtOnce,
  ...memoryRows,
  ...sessionRows,
  ...redisRows,
  ...postgresRows,
  ...s3StoreRows,
  wiretapLatency,
];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    row: { type: "string", multiple: true },
    json: { type: "string" },
    list: { type: "boolean", default: false },
  },
});

if (values.list) {
  for (const { name, title } of rows) console.log(`${name.padEnd(22)}  ${title}`);
} else {
  await run(chosen(values.row), { rounds: values.quick ? 2 : 7, quick: values.quick });
}

function chosen(names: readonly string[] | undefined): readonly Row[] {
  const unknown = names?.find((name) => rows.every((row) => row.name !== name));
  if (unknown !== undefined) {
    throw new Error(`There is no row ${unknown}. The rows: ${rows.map(({ name }) => name).join(", ")}`);
  }
  return names === undefined ? rows : rows.filter(({ name }) => names.includes(name));
}

async function run(selected: readonly Row[], effort: Effort): Promise<void> {
  const machine = {
    node: process.version,
    cpu: `${cpus().length} x ${cpus()[0]?.model ?? "unknown"}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    rounds: effort.rounds,
  };
  console.log(`Node ${machine.node}, ${machine.cpu}, ${machine.memoryGiB} GiB`);
  console.log(`${effort.rounds} rounds in turn, medians (lowest to highest)`);
  const measured: unknown[] = [];
  for (const { name, title, measure } of selected) {
    const samples = await measure(effort);
    console.log(`\n${name}: ${title}\n${toTable(samples)}`);
    measured.push({ name, title, contenders: toJson(samples) });
  }
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ machine, rows: measured }, undefined, 2)}\n`);
  }
}
