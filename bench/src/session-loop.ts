import { query as peerQuery } from "@anthropic-ai/claude-agent-sdk";
import { query } from "@reins/sdk";
import { type ScriptedCliExecutable, scriptedCliExecutable } from "@reins/testkit";
import { liveMemory } from "./live-memory.ts";
import type { Cost, Row, Samples } from "./row.ts";

/** What sessions leave in this process, one after the other, each read to its end. A loop of 20 before the measurement loads what is loaded once. */
export const sessionLoop: Row = {
  name: "session-loop",
  title: "What 200 sessions one after the other leave in this process, for each; 50 if quick",
  measure: ({ quick }) => sessionLoops(quick ? 50 : 200),
};

async function sessionLoops(loopLength: number): Promise<Samples[]> {
  await using cli = await scriptedCliExecutable({
    steps: [
      { do: "init" },
      { do: "read", match: { type: "user" } },
      { do: "write", frame: { type: "result", subtype: "success", is_error: false, result: "done" } },
      { do: "readEnd" },
    ],
  });
  const options = optionsOf(cli);
  return [
    { name: "@reins/sdk", costs: [await growth(loopLength, () => query({ prompt: "go", options }))] },
    { name: "official SDK", costs: [await growth(loopLength, () => peerQuery({ prompt: "go", options }))] },
  ];
}

function optionsOf(cli: ScriptedCliExecutable): {
  pathToClaudeCodeExecutable: string;
  env: Record<string, string | undefined>;
  abortController: AbortController;
} {
  // One controller for all, as a server has it.
  return {
    pathToClaudeCodeExecutable: cli.path,
    env: { PATH: process.env["PATH"] },
    abortController: new AbortController(),
  };
}

async function growth(loopLength: number, start: () => AsyncIterable<unknown>): Promise<Cost> {
  await loop(20, start);
  const before = look();
  await loop(loopLength, start);
  const after = look();
  return {
    "KiB of heap": (after.heapUsed - before.heapUsed) / loopLength / 1024,
    "KiB resident": (after.rss - before.rss) / loopLength / 1024,
    "listeners in all": after.listeners - before.listeners,
  };
}

async function loop(count: number, start: () => AsyncIterable<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) for await (const _ of start());
}

function look(): NodeJS.MemoryUsage & { readonly listeners: number } {
  const names = process.eventNames();
  const listeners = names.reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { ...liveMemory(), listeners };
}
