import type { ConformanceScript, ConformanceStep } from "./script.ts";

const hello: readonly ConformanceStep[] = [
  { expect: { type: "hello", protocols: { $includes: 1 } } },
  { write: { type: "hello", protocol: 1, bridge: "conformance kit" } },
];

const session_id = "11111111-1111-4111-8111-111111111111";
const opened: ConformanceStep = { write: { type: "opened", session_id, restarted: false } };
const event: ConformanceStep = { write: { type: "event", message: { type: "system", subtype: "init", session_id } } };

const turnEnd = (id: string, text: string): ConformanceStep => ({
  write: { type: "turn_end", id: { $use: id }, outcome: "completed", text, session_id },
});

/** What a host has to do: the kit plays the bridge. The host offers a tool `add` that takes the numbers a and b, and has two prompts. */
export const hostScripts: readonly ConformanceScript[] = [
  {
    name: "host-two-turns",
    about:
      "Two prompts, one after the other; calls and questions are answered under their ids; then the session is closed.",
    plays: "bridge",
    steps: [
      ...hello,
      { expect: { type: "open", tools: [{ name: "add" }] } },
      opened,
      { expect: { type: "send", id: { $save: "first" } } },
      event,
      { write: { type: "tool_call", id: "call-7", name: "add", input: { a: 2, b: 40 } } },
      { expect: { type: "tool_result", id: "call-7" } },
      turnEnd("first", "It is 42."),
      { expect: { type: "send", id: { $save: "second" } } },
      {
        write: {
          type: "permission_question",
          id: "question-7",
          tool_name: "Bash",
          input: { command: "date" },
          tool_use_id: "toolu_7",
          can_allow_always: false,
        },
      },
      { expect: { type: "permission_answer", id: "question-7" } },
      turnEnd("second", "Done."),
      { expect: { type: "close" } },
      { write: { type: "closed", reason: "closed" } },
      { end: true },
      { expectEnd: true },
    ],
  },
  {
    name: "host-passes-over-what-it-does-not-know",
    about: "Messages, fields and outcomes of a later version do not disturb a host.",
    plays: "bridge",
    steps: [
      ...hello,
      { write: { type: "weather", forecast: "rain" } },
      { expect: { type: "open" } },
      { write: { type: "opened", session_id, restarted: false, since: "today" } },
      { expect: { type: "send", id: { $save: "first" } } },
      { write: { type: "event", message: { type: "brand_new", message: { content: 5 } } } },
      { write: { type: "event", message: { type: "assistant", message: { content: [{ type: "hologram" }] } } } },
      {
        write: { type: "turn_end", id: { $use: "first" }, outcome: "dreamt", text: "", session_id, cost: { usd: 1 } },
      },
      { expect: { type: "send", id: { $save: "second" } } },
      turnEnd("second", "Done."),
      { expect: { type: "close" } },
      { write: { type: "closed", reason: "closed" } },
      { end: true },
      { expectEnd: true },
    ],
  },
  {
    name: "host-without-a-session",
    about: "A host whose session cannot be opened, and whose bridge ends, ends too.",
    plays: "bridge",
    steps: [
      ...hello,
      { expect: { type: "open" } },
      { write: { type: "error", code: "open_failed", message: "There is no CLI." } },
      { end: true },
      { expectEnd: true },
    ],
  },
];
