import { query as peerQuery } from "@anthropic-ai/claude-agent-sdk";
import { query } from "@reins/sdk";
import { scriptedCliExecutable } from "@reins/testkit";
import { alternate, startClock } from "./measure.ts";
import type { Row } from "./row.ts";
import { result, streamEvent } from "./scripts.ts";

/** What many sessions at once cost the host: children that write and exit, so that time is mostly theirs, CPU is this process's. */
export const sessionsAtOnce: Row = {
  name: "sessions-at-once",
  title: "100 sessions at once, 200 messages each; 20 if quick",
  measure: async (effort) => {
    const count = effort.quick ? 20 : 100;
    await using cli = await scriptedCliExecutable({
      steps: [
        { do: "init" },
        { do: "read", match: { type: "user" } },
        { do: "write", frame: streamEvent, $times: 200 },
        { do: "write", frame: result },
        { do: "readEnd" },
      ],
    });
    // Nothing of this process's environment matters to the child.
    const options = { pathToClaudeCodeExecutable: cli.path, env: { PATH: process.env["PATH"] } };
    const all = async (start: () => AsyncIterable<{ readonly type: string }>) => {
      const stop = startClock();
      await Promise.all(Array.from({ length: count }, () => drained(start())));
      return stop();
    };
    return await alternate(
      { rounds: Math.min(effort.rounds, 3) },
      {
        "@reins/sdk": () => all(() => query({ prompt: "go", options })),
        "official SDK": () => all(() => peerQuery({ prompt: "go", options })),
      },
    );
  },
};

async function drained(messages: AsyncIterable<{ readonly type: string }>): Promise<void> {
  let results = 0;
  for await (const { type } of messages) if (type === "result") results++;
  if (results !== 1) throw new Error(`${results} results came`);
}
