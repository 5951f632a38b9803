import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { query as peerQuery } from "@anthropic-ai/claude-agent-sdk";
import { query } from "@reins/sdk";
import { type ScriptedCliExecutable, scriptedCliExecutable } from "@reins/testkit";

/** Sessions of one loop. */
export const loopLength = 200;

/** What a loop of sessions left in this process. */
export interface Growth {
  readonly name: string;
  /** Live memory of the heap, in bytes for each session. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Listeners on `process`. */
  readonly listeners: number;
}

/**
 * What is left of {@link loopLength} sessions, one after the other, each read to its end. A loop of 20 before the measurement loads what is
 * loaded once.
 */
export async function sessionLoops(): Promise<Growth[]> {
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
    await growth("@reins/sdk", () => query({ prompt: "go", options })),
    await growth("official SDK", () => peerQuery({ prompt: "go", options })),
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

async function growth(name: string, start: () => AsyncIterable<unknown>): Promise<Growth> {
  await loop(20, start);
  const before = look();
  await loop(loopLength, start);
  const after = look();
  return {
    name,
    heapBytes: (after.heapUsed - before.heapUsed) / loopLength,
    residentBytes: (after.rss - before.rss) / loopLength,
    listeners: after.listeners - before.listeners,
  };
}

async function loop(count: number, start: () => AsyncIterable<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) for await (const _ of start());
}

function look(): NodeJS.MemoryUsage & { readonly listeners: number } {
  setFlagsFromString("--expose-gc");
  // Twice, for what finalizers let go.
  for (let i = 0; i < 2; i++) runInNewContext("gc")();
  const names = process.eventNames();
  const listeners = names.reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { ...process.memoryUsage(), listeners };
}
