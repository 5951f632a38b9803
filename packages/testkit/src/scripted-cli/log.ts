import type { FrameValue } from "@reins/streamjson";
import type { CliStep } from "./script.ts";

/** Something that happened to a scripted CLI. `atMs` is the time since its start. */
export type CliEvent = { readonly atMs: number } & (
  | { readonly kind: "input-end" }
  /** A step began. What it writes lies between this and the next step. */
  | { readonly kind: "step"; readonly index: number; readonly do: CliStep["do"] }
  /** A line came: exactly what was read, without its newline. */
  | { readonly kind: "input"; readonly line: string }
  /** What came during a `noInput` step. */
  | { readonly kind: "collected"; readonly lines: readonly string[] }
  /** A write failed since the host reads no more. Later writes are dropped. */
  | { readonly kind: "output-closed" }
  /** A signal came that a `trap` step catches. */
  | { readonly kind: "signal"; readonly signal: string }
  /** The grandchild of an `orphan` step runs. */
  | { readonly kind: "orphan"; readonly pid: number }
  /** The script could not be followed. The CLI says so on its standard error and exits with code 70. */
  | { readonly kind: "failure"; readonly message: string }
  /** The CLI ends by itself. Missing when it was killed. */
  | { readonly kind: "exit"; readonly code: number | null; readonly signal: string | null }
);

/** What one scripted CLI saw and did, from its start to the time of the call. */
export interface CliLog {
  /** Process id; 0 in memory. */
  readonly pid: number;
  /** Arguments behind the path of the executable. Empty in memory, as are `env` and `cwd`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Everything in the order in which it happened. */
  readonly events: readonly CliEvent[];
  /** The frames that the host sent, parsed. Lines that are no frames are in `events` only. */
  readonly frames: readonly FrameValue[];
  readonly inputEnded: boolean;
  /** Why the script could not be followed, if so. */
  readonly failure: string | undefined;
  /** How it ended by itself; `undefined` while it runs, and when it was killed. */
  readonly exit: { readonly code: number | null; readonly signal: string | null } | undefined;
}

/** How a scripted CLI was started. */
export type CliStart = Pick<CliLog, "pid" | "argv" | "env" | "cwd">;

/** Sums up events. */
export function toCliLog(start: CliStart, events: readonly CliEvent[]): CliLog {
  const exit = events.find((event) => event.kind === "exit");
  return {
    ...start,
    events,
    frames: events.flatMap((event) => (event.kind === "input" ? framesOf(event.line) : [])),
    inputEnded: events.some((event) => event.kind === "input-end"),
    failure: events.find((event) => event.kind === "failure")?.message,
    exit: exit && { code: exit.code, signal: exit.signal },
  };
}

function framesOf(line: string): FrameValue[] {
  try {
    const value: unknown = JSON.parse(line);
    // A frame promises no more than this: an object with unknown members.
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return [value as FrameValue];
  } catch {
    // The line itself is among the events.
  }
  return [];
}
