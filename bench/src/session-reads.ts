import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Cost, spread } from "./measure.ts";
import { createCorpus, type SessionCorpus } from "./session-corpus.ts";

interface ReadCost extends Cost {
  /** Highest resident memory above that of a process that did nothing yet, in MB. */
  readonly memoryMb: number;
}

/**
 * What reading and forking transcripts costs beside the official SDK: the same files, each call in a process of its own, the contenders in
 * turn.
 */
export async function sessionReads(rounds: number): Promise<string> {
  const lines: string[] = [];
  for (const count of [1_000, 10_000]) {
    // 70 KiB is a session of a few turns: longer than what is read of one end, so that both ends count.
    using corpus = createCorpus(count, 70_000);
    lines.push(await row(`${count} sessions listed`, rounds, corpus, ["list"]));
    const calls = ["info", corpus.ids[count >> 1] ?? "", "200"];
    if (count === 10_000) lines.push(await row(`200 infos among ${count}`, rounds, corpus, calls));
  }
  for (const megabytes of [50, 200]) {
    using corpus = createCorpus(1, megabytes * 1e6);
    const id = corpus.ids[0] ?? "";
    lines.push(await row(`messages of ${megabytes} MB`, rounds, corpus, ["messages", id]));
    lines.push(await ownRow(`lines of ${megabytes} MB`, rounds, corpus, ["stream", id]));
    if (megabytes === 50) lines.push(await row(`fork of ${megabytes} MB`, rounds, corpus, ["fork", id]));
  }
  return lines.join("\n");
}

async function row(name: string, rounds: number, corpus: SessionCorpus, call: readonly string[]): Promise<string> {
  const own: ReadCost[] = [];
  const peer: ReadCost[] = [];
  for (let round = 0; round < rounds; round++) {
    own.push(await measure("own", corpus, call));
    peer.push(await measure("peer", corpus, call));
  }
  const median = (costs: readonly ReadCost[], field: keyof ReadCost) => spread(costs.map((cost) => cost[field])).median;
  const ratio = (field: keyof ReadCost) => (median(own, field) / median(peer, field)).toFixed(2);
  return `${describe(name, own)}  official SDK${describe("", peer).trimStart().padStart(40)}  ours takes ${ratio("wallMs")} of its time, ${ratio("cpuMs")} of its CPU, ${ratio("memoryMb")} of its memory`;
}

async function ownRow(name: string, rounds: number, corpus: SessionCorpus, call: readonly string[]): Promise<string> {
  const own: ReadCost[] = [];
  for (let round = 0; round < rounds; round++) own.push(await measure("own", corpus, call));
  return describe(name, own);
}

function describe(name: string, costs: readonly ReadCost[]): string {
  const wall = spread(costs.map(({ wallMs }) => wallMs));
  const memory = spread(costs.map(({ memoryMb }) => memoryMb));
  return `${name.padEnd(24)}${wall.median.toFixed(0).padStart(6)} ms (${wall.min.toFixed(0)} to ${wall.max.toFixed(0)})  ${memory.median.toFixed(0)} MB`;
}

async function measure(contender: string, corpus: SessionCorpus, call: readonly string[]): Promise<ReadCost> {
  const child = fileURLToPath(new URL("session-child.ts", import.meta.url));
  const env = { PATH: process.env["PATH"], CLAUDE_CONFIG_DIR: corpus.configDir };
  const args = ["--import=tsx", child, contender, ...call];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 300_000 });
  return JSON.parse(stdout);
}
