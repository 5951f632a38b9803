import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endRuntimeEvents, initialRuntimeState, type RuntimeEvent, toRuntimeEvents } from "../../src/events.ts";

/** Where the golden captures are, and where their event logs are. */
const capturesFolder: string = join(import.meta.dirname, "../../../../contracts/captures/2.1.328");
export const logsFolder: string = import.meta.dirname;

/** The names of the captures, without the ending. */
export function captureNames(): string[] {
  const files = readdirSync(capturesFolder).filter((file) => file.endsWith(".ndjson"));
  return files.map((file) => file.slice(0, -".ndjson".length)).sort();
}

/** One frame of a capture. Lines that were no JSON are left out. */
export interface CapturedFrame {
  readonly line: number;
  readonly direction: "in" | "out";
  readonly frame: Readonly<Record<string, unknown>>;
}

/** The frames of a capture, in order. */
export function framesOf(name: string): CapturedFrame[] {
  const lines = readFileSync(join(capturesFolder, `${name}.ndjson`), "utf8")
    .trimEnd()
    .split("\n");
  return lines.flatMap((text, index) => {
    const { dir, frame } = JSON.parse(text);
    return frame === undefined ? [] : [{ line: index + 1, direction: dir, frame }];
  });
}

/** The events of a capture, one a line, with the line of the capture that they come from; 0 stands for the end. */
export function eventLog(frames: readonly CapturedFrame[]): string {
  let state = initialRuntimeState();
  const log: string[] = [];
  for (const { line, direction, frame } of frames) {
    const step = toRuntimeEvents(frame, state, { direction });
    state = step.state;
    for (const event of step.events) log.push(logLine(line, event));
  }
  for (const event of endRuntimeEvents(state).events) log.push(logLine(0, event));
  return log.map((line) => `${line}\n`).join("");
}

function logLine(line: number, { type, turnNumber, turnId, agentToolUseId, data }: RuntimeEvent): string {
  // What a member repeats of the frame is in the capture.
  const {
    raw: _raw,
    result: _result,
    request: _request,
    usage: _usage,
    ...rest
  } = data as object as Record<string, unknown>;
  const agent = agentToolUseId === undefined ? {} : { agent: agentToolUseId };
  // Between turns there is no turn.
  const turn = turnId === undefined ? {} : { turn: turnNumber };
  return JSON.stringify({ line, ...turn, type, ...agent, data: rest });
}
