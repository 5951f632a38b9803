import type { CliStep } from "@reins/testkit";
import type { Options } from "../../src/index.ts";
import type { Moment } from "./moments.ts";

/** Something that goes wrong. */
export interface Fault {
  readonly name: string;
  /** What the CLI does, for readers of the page. */
  readonly says: string;
  /** What the CLI does in place of the rest of its script, or before it. */
  readonly steps: (moment: Moment) => readonly CliStep[];
  /** Whether it goes on behind that as if nothing had been. */
  readonly goesOn: boolean;
  /** Whether it takes a process; else the CLI is in memory. */
  readonly needsProcess: boolean;
  /** Whether the callbacks of the host answer without waiting for the fault to pass. */
  readonly answersAtOnce?: boolean;
  /** Deadlines, where they are what ends the session. */
  readonly options?: (moment: Moment) => Options;
  /** Why there is no such thing at this moment; `undefined` where there is. */
  readonly impossible?: (moment: Moment) => string | undefined;
}

/** Written to standard error; fixtures/close-input.mjs then closes the input. */
const closesInput = "closes its input\n";

const maxLineBytes = 100_000;

const isMidFrame = ({ name }: Moment): boolean => name === "mid frame";

export const faults: readonly Fault[] = [
  {
    name: "kill -9",
    says: "SIGKILL ends the process.",
    steps: () => [{ do: "exit", signal: "SIGKILL" }],
    goesOn: false,
    needsProcess: true,
  },
  {
    name: "hang",
    says: "The process lives on, writes nothing, and ignores the end of its input and SIGTERM. Callbacks have answered.",
    steps: () => [{ do: "trap", signals: ["SIGTERM"] }, { do: "hang" }],
    goesOn: false,
    needsProcess: true,
    answersAtOnce: true,
    options: ({ open }) => (open === "initialize" ? startDeadline : turnDeadline),
  },
  {
    name: "garbage",
    says: "Text on the output that is no JSON, and JSON that is no object; then it goes on.",
    steps: () => [{ do: "text", text: "\u0000garbage {[\n\n  \nnull\n" }],
    goesOn: true,
    needsProcess: false,
  },
  {
    name: "half line",
    says: "The output ends within a line, and the process exits with code 0.",
    steps: () => [
      { do: "text", text: '{"type":"assist' },
      { do: "exit", code: 0 },
    ],
    goesOn: false,
    needsProcess: false,
    impossible: (moment) => (isMidFrame(moment) ? 'this is "exit 0 early": half a line is what is there' : undefined),
  },
  {
    name: "line over the limit",
    says: "A line that is longer than `maxLineBytes`; then it goes on. That 100 MB are no different is tested in `@reins/process`.",
    steps: (moment) => [
      { do: "text", text: isMidFrame(moment) ? "" : '{"type":"assistant","text":"' },
      { do: "text", text: { $repeat: { text: "x", count: 2 * maxLineBytes } } },
      { do: "text", text: isMidFrame(moment) ? "" : '"}\n' },
    ],
    goesOn: true,
    needsProcess: true,
    options: () => ({ maxLineBytes }),
  },
  {
    name: "close stdout only",
    says: "The process closes its output and lives on.",
    steps: () => [{ do: "endOutput" }, { do: "hang" }],
    goesOn: false,
    needsProcess: true,
  },
  {
    name: "close stdin only",
    says: "The process closes its input and otherwise goes on. Where it needs input for that, it hangs.",
    steps: () => [{ do: "stderr", text: closesInput }],
    goesOn: true,
    needsProcess: true,
    options: ({ name, open }) => (name === "spawn" ? startDeadline : open === "callback" ? turnDeadline : {}),
    impossible: ({ name }) => (name === "teardown" ? "the host has closed it" : undefined),
  },
  {
    name: "exit 0 early",
    says: "The process exits with code 0.",
    steps: () => [{ do: "exit", code: 0 }],
    goesOn: false,
    needsProcess: true,
    impossible: ({ name }) => (name === "teardown" ? "this is the normal end" : undefined),
  },
  {
    name: "exit 1 with stderr flood",
    says: "The process writes 1 MB to standard error and exits with code 1.",
    steps: () => [
      { do: "stderr", text: { $repeat: { text: "something went wrong\n", count: 5_000 } }, $times: 10 },
      { do: "exit", code: 1 },
    ],
    goesOn: false,
    needsProcess: true,
  },
  {
    name: "duplicate and unknown responses",
    says: "A response, or the open question, comes a second time; responses to nothing, without an id and of no shape come, and a withdrawal of nothing; then it goes on.",
    steps: ({ again }) => [
      ...(again === undefined ? [] : [again]),
      text({ type: "control_response", response: { subtype: "success", request_id: "req_unknown", response: {} } }),
      text({ type: "control_response", response: { subtype: "error", error: "no id" } }),
      text({ type: "control_response" }),
      text({ type: "control_cancel_request", request_id: "unknown" }),
    ],
    goesOn: true,
    needsProcess: false,
    impossible: (moment) => (isMidFrame(moment) ? 'within a line this is "garbage"' : undefined),
  },
];

// Only where they strike. Elsewhere the start of a process alone may take longer on a busy machine.
const startDeadline: Options = { initializeTimeoutMs: 2_000 };
const turnDeadline: Options = { idleTimeoutMs: 3_000 };

function text(frame: unknown): CliStep {
  return { do: "text", text: `${JSON.stringify(frame)}\n` };
}
