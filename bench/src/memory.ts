import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { alternate } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";

/** What stays in memory, each in a process of its own, over a CLI in the same process: see memory-child.ts. */
export const memoryRows: readonly Row[] = [
  {
    name: "memory-idle",
    title: "1,000 open sessions without work, in memory: what each holds",
    measure: (effort) => beside(effort, "idle", effort.quick ? 200 : 1_000, ["the CLI alone"]),
  },
  {
    name: "memory-turns",
    title: "1,000 turns of one session: what grew between the 100th and the last",
    measure: (effort) => beside(effort, "turns", effort.quick ? 300 : 1_000),
  },
  {
    name: "memory-frames",
    title: "10,000,000 frames in one session, 500,000 if quick: what grew after the first tenth",
    measure: (effort) => beside(effort, "frames", effort.quick ? 500_000 : 10_000_000),
  },
];

async function beside(
  { quick }: Effort,
  call: string,
  count: number,
  more: readonly string[] = [],
): Promise<readonly Samples[]> {
  const names = ["@reins/sdk", "official SDK", ...more];
  // The first round of a process of its own warms nothing up, but the disk's cache.
  return await alternate(
    { rounds: quick || call === "frames" ? 1 : 3 },
    {
      ...Object.fromEntries(names.map((name) => [name, () => measure(name, call, count)])),
    },
  );
}

async function measure(contender: string, call: string, count: number): Promise<Cost> {
  const child = fileURLToPath(new URL("memory-child.ts", import.meta.url));
  const args = ["--import=tsx", child, contender, call, String(count)];
  const env = { PATH: process.env["PATH"] };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 600_000 });
  return JSON.parse(stdout);
}
