import { spawn } from "node:child_process";
import { join } from "node:path";
import { query as peerQuery } from "@anthropic-ai/claude-agent-sdk";
import { query } from "@reins/sdk";
import { parsedLines } from "./bare-child.ts";
import { alternate, quantile } from "./measure.ts";
import type { Cost, Row } from "./row.ts";

/** How old a streamed delta is when the user's loop has it: from the write in the child. The floor is a bare loop. */
export const deltaLatency: Row = {
  name: "delta-latency",
  title: "Age of a streamed delta when the user has it: one every 2 ms, 1,000 of them, or 300 if quick",
  measure: (effort) => {
    const ticks = effort.quick ? 300 : 1_000;
    const cli = join(import.meta.dirname, "fake-cli-ticks.mjs");
    const env = { PATH: process.env["PATH"], BENCH_TICKS: String(ticks) };
    const options = { pathToClaudeCodeExecutable: cli, env };
    return alternate(
      { rounds: Math.min(effort.rounds, 3) },
      {
        "@reins/sdk": () => ages(query({ prompt: "go", options }), ticks),
        "official SDK": () => ages(peerQuery({ prompt: "go", options }), ticks),
        "bare loop": () => {
          const child = spawn(process.execPath, [cli], { env, stdio: ["pipe", "pipe", "ignore"] });
          child.stdin.write('{"type":"user"}\n');
          return ages(parsedLines<Message>(child.stdout), ticks, () => child.kill());
        },
      },
    );
  },
};

interface Message {
  readonly type: string;
  readonly event?: unknown;
}

async function ages(messages: AsyncIterable<Message>, expected: number, onResult = (): void => {}): Promise<Cost> {
  const all: number[] = [];
  for await (const { type, event } of messages) {
    if (type === "result") onResult();
    if (type !== "stream_event") continue;
    const now = Number(process.hrtime.bigint());
    // The child's own addition to the event.
    all.push((now - (event as { readonly at: number }).at) / 1000);
  }
  if (all.length !== expected) throw new Error(`${all.length} of ${expected} deltas came`);
  return { "µs median": quantile(all, 0.5), "µs p99": quantile(all, 0.99) };
}
