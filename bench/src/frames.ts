import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { query as peerQuery } from "@anthropic-ai/claude-agent-sdk";
import { query } from "@reins/sdk";
import { type CliStep, scriptedCliExecutable } from "@reins/testkit";
import { startBareChild } from "./bare-child.ts";
import { alternate, startClock } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";
import { result, streamEvent } from "./scripts.ts";

/**
 * How fast messages come through `query()` from a child that writes as fast as it can: ours, the official SDK, and a bare loop that splits
 * the output into lines and parses them. Measured from the first message to the result.
 */
export const frameRows: readonly Row[] = [
  {
    name: "frames-small",
    title: "Small partial messages through query(): 200,000, or 40,000 if quick",
    measure: (effort) => {
      const count = effort.quick ? 40_000 : 200_000;
      return frames(effort, count, [{ do: "write", frame: streamEvent, $times: count }]);
    },
  },
  {
    name: "frames-large",
    title: "Messages of 100 KB through query(): 2,000, or 400 if quick",
    measure: (effort) => {
      const count = effort.quick ? 400 : 2_000;
      const content = [{ type: "text", text: { $repeat: { text: "Hello wörld.\n", count: 7_500 } } }];
      const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content, usage: {} };
      const frame = {
        type: "assistant",
        message,
        session_id: streamEvent.session_id,
        parent_tool_use_id: null,
        uuid: streamEvent.uuid,
      };
      return frames(effort, count, [{ do: "write", frame, $times: count }]);
    },
  },
  {
    name: "frames-recorded",
    title: "Messages of recorded sessions through query(): 100,000 of mixed size, or 20,000 if quick",
    measure: (effort) => {
      const recorded = recordedMessages();
      const count = effort.quick ? 20_000 : 100_000;
      const lines = Array.from({ length: count }, (_, index) => recorded[index % recorded.length]);
      return frames(effort, count, [{ do: "file", path: "all" }], { all: `${lines.join("\n")}\n` });
    },
  },
];

async function frames(
  effort: Effort,
  count: number,
  write: readonly CliStep[],
  files: Readonly<Record<string, string>> = {},
): Promise<Samples[]> {
  const ends: readonly CliStep[] = [{ do: "write", frame: result }, { do: "readEnd" }, { do: "exit", code: 0 }];
  const steps: readonly CliStep[] = [{ do: "init" }, { do: "read", match: { type: "user" } }, ...write, ...ends];
  await using cli = await scriptedCliExecutable({ steps }, { files });
  // Nothing of this process's environment matters to the child.
  const options = { pathToClaudeCodeExecutable: cli.path, env: { PATH: process.env["PATH"] } };
  return await alternate(effort, {
    "@reins/sdk": () => timed(query({ prompt: "go", options }), count),
    "official SDK": () => timed(peerQuery({ prompt: "go", options }), count),
    "bare loop": () => timed(bareLoop(cli.path), count),
  });
}

interface Message {
  readonly type: string;
}

async function timed(messages: AsyncIterable<Message>, expected: number): Promise<Cost> {
  let stop: ReturnType<typeof startClock> | undefined;
  let cost: { readonly ms: number; readonly "ms CPU": number } | undefined;
  let count = 0;
  for await (const { type } of messages) {
    if (type === "result") cost = stop?.();
    else if (type === "stream_event" || type === "assistant" || type === "user") {
      stop ??= startClock();
      count++;
    }
  }
  if (cost === undefined || count !== expected) throw new Error(`${count} of ${expected} messages came`);
  return { "k frames/s": count / cost.ms, "µs CPU a frame": (cost["ms CPU"] * 1000) / count };
}

/** Reads, splits, parses, looks at the type. */
async function* bareLoop(path: string): AsyncGenerator<Message> {
  const child = startBareChild<Message>(path);
  for await (const message of child.frames) {
    yield message;
    if (message.type === "result") child.end();
  }
}

/** What the model and the tools said in the golden captures, as lines. */
function recordedMessages(): string[] {
  const root = join(import.meta.dirname, "../../contracts/captures");
  const version = readdirSync(root, { withFileTypes: true }).find((entry) => entry.isDirectory())?.name ?? "";
  const lines = readdirSync(join(root, version))
    .filter((name) => name.endsWith(".ndjson"))
    .flatMap((name) =>
      readFileSync(join(root, version, name), "utf8")
        .trim()
        .split("\n"),
    );
  return lines
    .map((line): { readonly dir: string; readonly frame: Message } => JSON.parse(line))
    .filter(({ dir, frame }) => dir === "in" && ["assistant", "user", "stream_event"].includes(frame.type))
    .map(({ frame }) => JSON.stringify(frame));
}
