import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWiretap } from "@reins/wiretap";
import { alternate, quantile } from "./measure.ts";
import type { Cost, Row } from "./row.ts";

/** What the wiretap adds to an answer: the same API, asked through it and without it. The API and its client are in another process. */
export const wiretapLatency: Row = {
  name: "wiretap-latency",
  title:
    "The first byte of an answer and the age of its events, 100 KB asked, 40 times 25 events, or 10 times if quick",
  measure: (effort) => {
    const requests = effort.quick ? 10 : 40;
    return alternate(
      { rounds: Math.min(effort.rounds, 3) },
      { "@reins/wiretap": () => measure(requests, true), direct: () => measure(requests, false) },
    );
  },
};

async function measure(requests: number, isTapped: boolean): Promise<Cost> {
  const dir = await mkdtemp(join(tmpdir(), "bench-wiretap-"));
  const env = { PATH: process.env["PATH"], BENCH_REQUESTS: String(requests), BENCH_EVENTS: "25" };
  const peer = spawn(process.execPath, ["--import=tsx", join(import.meta.dirname, "wiretap-peer.ts")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const lines = linesOf(peer.stdout);
    const upstream = await lines();
    await using wiretap = isTapped ? await startWiretap({ dir, upstream }) : undefined;
    peer.stdin.write(`${wiretap?.url ?? upstream}\n`);
    const { firstBytes, chunkAges }: Measured = JSON.parse(await lines());
    return {
      "µs to the first byte, median": 1000 * quantile(firstBytes, 0.5),
      "µs p99": 1000 * quantile(firstBytes, 0.99),
      "µs of an event, median": 1000 * quantile(chunkAges, 0.5),
      "µs of an event, p99": 1000 * quantile(chunkAges, 0.99),
    };
  } finally {
    peer.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Measured {
  readonly firstBytes: readonly number[];
  readonly chunkAges: readonly number[];
}

/** Gives one line after the other. */
function linesOf(output: AsyncIterable<Buffer>): () => Promise<string> {
  const chunks = output[Symbol.asyncIterator]();
  let text = "";
  return async () => {
    while (!text.includes("\n")) {
      const { done, value } = await chunks.next();
      if (done) throw new Error("The peer of the bench ended early.");
      text += value;
    }
    const end = text.indexOf("\n");
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return line;
  };
}
