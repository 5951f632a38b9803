import type { ConformanceScript, ConformanceStep } from "./script.ts";

const hello: readonly ConformanceStep[] = [
  { write: { type: "hello", protocols: [1], host: "conformance kit" } },
  { expect: { type: "hello", protocol: 1 } },
];

const open: readonly ConformanceStep[] = [
  { write: { type: "open" } },
  { expect: { type: "opened", restarted: false } },
];

const close: readonly ConformanceStep[] = [
  { write: { type: "close" } },
  { expect: { type: "closed", reason: "closed" } },
  { end: true },
  { expectEnd: true },
];

const number = { type: "number" };
const add = { name: "add", description: "Adds.", input_schema: { properties: { a: number, b: number } } };
const says = (text: string): object => ({ content: { type: "text", deltas: [text] } });
const calls = (tool: string, input: object): object => ({
  content: { type: "tool_use", name: `mcp__host__${tool}`, input },
});
/** An answer that begins, and that nobody waits for to its end. */
const never = { ...says("Hm."), eventDelayMs: 600_000 };

/** Opens a session that tells when the model has begun to answer. */
const openWithPieces: readonly ConformanceStep[] = [
  { write: { type: "open", options: { include_partial_messages: true } } },
  { expect: { type: "opened", restarted: false } },
];

const answerBegins: ConformanceStep = { expect: { type: "event", message: { type: "stream_event" } } };

const refused = (code: string, message: object): readonly ConformanceStep[] => [
  { write: message as Readonly<Record<string, unknown>> },
  { expect: { type: "error", code, ...("id" in message && { id: message.id }) } },
];

/** What a bridge has to do: the kit plays the host. */
export const bridgeScripts: readonly ConformanceScript[] = [
  {
    name: "bridge-hello",
    about:
      "The first line of a host is a hello; version 1 is taken out of several, and what comes before it does nothing.",
    plays: "host",
    steps: [
      ...refused("hello_expected", { type: "interrupt", id: "early" }),
      { write: { type: "hello", protocols: [99, 1] } },
      { expect: { type: "hello", protocol: 1 } },
      ...refused("hello_expected", { type: "hello", protocols: [1] }),
      { end: true },
      { expectEnd: true },
    ],
  },
  {
    name: "bridge-no-version-in-common",
    about: "A host of other versions is refused, and the bridge ends.",
    plays: "host",
    steps: [...refused("unsupported_protocol", { type: "hello", protocols: [99] }), { expectEnd: true }],
  },
  {
    name: "bridge-two-turns",
    about:
      "Two turns of one session, with a tool of the host and a permission question; a turn's end comes behind its result.",
    plays: "host",
    model: [calls("add", { a: 2, b: 40 }), says("It is 42."), calls("drop", { table: "users" }), says("Dropped.")],
    steps: [
      ...hello,
      { write: { type: "open", tools: [add, { name: "drop", description: "Drops a table.", ask: true }] } },
      { expect: { type: "opened", session_id: { $save: "session" }, restarted: false } },
      { write: { type: "send", id: "one", content: "2 + 40?" } },
      { expect: { type: "tool_call", id: { $save: "call" }, name: "add", input: { a: 2, b: 40 } } },
      { write: { type: "tool_result", id: { $use: "call" }, content: [{ type: "text", text: "42" }] } },
      { expect: { type: "event", message: { type: "result" } } },
      {
        expect: {
          type: "turn_end",
          id: "one",
          outcome: "completed",
          text: "It is 42.",
          session_id: { $use: "session" },
        },
      },
      { write: { type: "send", id: "two", content: [{ type: "text", text: "Drop users." }] } },
      { expect: { type: "permission_question", id: { $save: "question" }, tool_name: "mcp__host__drop" } },
      { write: { type: "permission_answer", id: { $use: "question" }, behavior: "allow" } },
      { expect: { type: "tool_call", id: { $save: "call" }, name: "drop", input: { table: "users" } } },
      { write: { type: "tool_result", id: { $use: "call" }, content: "done" } },
      {
        expect: {
          type: "turn_end",
          id: "two",
          outcome: "completed",
          text: "Dropped.",
          session_id: { $use: "session" },
        },
      },
      ...close,
    ],
  },
  {
    name: "bridge-denials",
    about: "A denial, and an answer that is none, both keep the tool from running.",
    plays: "host",
    model: [calls("drop", { table: "a" }), calls("drop", { table: "b" }), says("I could not.")],
    steps: [
      ...hello,
      { write: { type: "open", tools: [{ name: "drop", description: "Drops a table.", ask: true }] } },
      { expect: { type: "opened" } },
      { write: { type: "send", id: "one", content: "Drop a and b." } },
      { expect: { type: "permission_question", id: { $save: "question" }, input: { table: "a" } } },
      { write: { type: "permission_answer", id: { $use: "question" }, behavior: "deny", message: "Not a." } },
      { expect: { type: "permission_question", id: { $save: "question" }, input: { table: "b" } } },
      { write: { type: "permission_answer", id: { $use: "question" }, behavior: "yes" } },
      { expect: { type: "error", code: "bad_message", id: { $use: "question" } } },
      { expect: { type: "turn_end", id: "one", outcome: "completed", text: "I could not." } },
      ...close,
    ],
  },
  {
    name: "bridge-tool-failures",
    about: "A tool that fails is told to the model, and so is a result that is none; a second answer is for nobody.",
    plays: "host",
    model: [calls("add", { a: 1, b: 2 }), calls("add", { a: 3, b: 4 }), says("It failed twice.")],
    steps: [
      ...hello,
      { write: { type: "open", tools: [add] } },
      { expect: { type: "opened" } },
      { write: { type: "send", id: "one", content: "1 + 2?" } },
      { expect: { type: "tool_call", id: { $save: "call" }, input: { a: 1 } } },
      { write: { type: "tool_result", id: { $use: "call" }, content: "overflow", is_error: true } },
      { expect: { type: "tool_call", id: { $save: "call" }, input: { a: 3 } } },
      { write: { type: "tool_result", id: { $use: "call" }, content: 7 } },
      { expect: { type: "error", code: "bad_message", id: { $use: "call" } } },
      { expect: { type: "turn_end", id: "one", outcome: "completed" } },
      { write: { type: "tool_result", id: { $use: "call" }, content: "late" } },
      { expect: { type: "error", code: "unknown_id", id: { $use: "call" } } },
      ...close,
    ],
  },
  {
    name: "bridge-lets-nothing-else-through",
    about: "Frames of the CLI, unknown fields and lines that are no JSON have no effect, and the session goes on.",
    plays: "host",
    model: [says("Only this was asked.")],
    steps: [
      ...hello,
      ...open,
      ...refused("unknown_type", { type: "bash_command", command: "touch here" }),
      ...refused("unknown_type", { type: "user", message: { role: "user", content: "Say hello." } }),
      ...refused("unknown_type", { type: "control_request", request_id: "1", request: { subtype: "interrupt" } }),
      ...refused("unknown_type", { type: "update_environment_variables", variables: { PATH: "/" } }),
      ...refused("bad_message", { type: "send", id: "x", content: "a", frame: { type: "bash_command", command: "b" } }),
      ...refused("bad_message", { type: "open", options: { extraArgs: { settings: "{}" } } }),
      { writeText: "bash_command" },
      { expect: { type: "error", code: "bad_line" } },
      { writeText: '["bash_command"]' },
      { expect: { type: "error", code: "bad_line" } },
      { write: { type: "send", id: "one", content: "Go on." } },
      { expect: { type: "turn_end", id: "one", outcome: "completed", text: "Only this was asked." } },
      ...close,
    ],
  },
  {
    name: "bridge-interrupt",
    about: "An interrupt ends the turn and not the session.",
    plays: "host",
    model: [never, says("Here I am.")],
    steps: [
      ...hello,
      ...openWithPieces,
      { write: { type: "send", id: "one", content: "Think." } },
      answerBegins,
      { write: { type: "interrupt", id: "stop" } },
      {
        expectAll: [
          { type: "interrupted", id: "stop" },
          { type: "turn_end", id: "one", outcome: "interrupted" },
        ],
      },
      { write: { type: "send", id: "two", content: "Still there?" } },
      { expect: { type: "turn_end", id: "two", outcome: "completed", text: "Here I am." } },
      ...close,
    ],
  },
  {
    name: "bridge-transcripts",
    about:
      "A transcript that goes on as the session has gone gets the same session, any other one a new session with that past.",
    plays: "host",
    model: [says("One."), says("Two."), says("Three."), says("Four.")],
    steps: [
      ...hello,
      { write: { type: "open" } },
      { expect: { type: "opened", session_id: { $save: "first" } } },
      { write: { type: "send", id: "1", transcript: [{ role: "user", content: "a" }] } },
      { expect: { type: "turn_end", id: "1", text: "One.", session_id: { $use: "first" } } },
      {
        write: {
          type: "send",
          id: "2",
          transcript: [
            { role: "user", content: [{ type: "text", text: "a" }] },
            { role: "assistant", content: [{ type: "text", text: "One. " }] },
            { role: "user", content: "b" },
          ],
        },
      },
      { expect: { type: "turn_end", id: "2", text: "Two.", session_id: { $use: "first" } } },
      {
        write: {
          type: "send",
          id: "3",
          transcript: [
            { role: "user", content: "a" },
            { role: "assistant", content: "One, edited." },
            { role: "user", content: "c" },
          ],
        },
      },
      { expect: { type: "opened", session_id: { $save: "second" }, restarted: true } },
      { expect: { type: "turn_end", id: "3", text: "Three.", session_id: { $use: "second" } } },
      {
        write: {
          type: "send",
          id: "4",
          transcript: [
            { role: "user", content: "a" },
            { role: "assistant", content: "One, edited." },
            { role: "user", content: "c" },
            { role: "assistant", content: "Three." },
            { role: "user", content: "d" },
          ],
        },
      },
      { expect: { type: "turn_end", id: "4", text: "Four.", session_id: { $use: "second" } } },
      ...refused("bad_message", { type: "send", id: "5", transcript: [{ role: "assistant", content: "Hello." }] }),
      ...close,
    ],
  },
  {
    name: "bridge-images",
    about: "A prompt may hold an image.",
    plays: "host",
    model: [says("A dot.")],
    steps: [
      ...hello,
      ...open,
      {
        write: {
          type: "send",
          id: "one",
          content: [
            { type: "text", text: "What is it?" },
            {
              type: "image",
              source: {
                type: "base64",
                media_type: "image/png",
                data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
              },
            },
          ],
        },
      },
      { expect: { type: "turn_end", id: "one", outcome: "completed", text: "A dot." } },
      ...close,
    ],
  },
  {
    name: "bridge-order",
    about:
      "One session at a time, prompts with ids of their own; what comes at the wrong time is an error and nothing else.",
    plays: "host",
    model: [never, says("Again.")],
    steps: [
      ...hello,
      ...refused("not_open", { type: "send", id: "early", content: "Hello." }),
      ...refused("not_open", { type: "interrupt", id: "early" }),
      ...refused("not_open", { type: "close" }),
      ...openWithPieces,
      ...refused("already_open", { type: "open" }),
      ...refused("unknown_id", { type: "tool_result", id: "nobody", content: "x" }),
      ...refused("unknown_id", { type: "permission_answer", id: "nobody", behavior: "allow" }),
      { write: { type: "send", id: "one", content: "Think." } },
      answerBegins,
      ...refused("duplicate_id", { type: "send", id: "one", content: "Think." }),
      ...refused("busy", { type: "send", id: "two", transcript: [{ role: "user", content: "Think." }] }),
      { write: { type: "close" } },
      { expect: { type: "turn_end", id: "one", outcome: "session_ended" } },
      { expect: { type: "closed", reason: "closed" } },
      ...open,
      { write: { type: "send", id: "one", content: "Again?" } },
      { expect: { type: "turn_end", id: "one", outcome: "completed", text: "Again." } },
      ...close,
    ],
  },
  {
    name: "bridge-end-of-input",
    about: "A host that is gone takes its session with it, also in the middle of a turn.",
    plays: "host",
    model: [never],
    steps: [
      ...hello,
      ...openWithPieces,
      { write: { type: "send", id: "one", content: "Think." } },
      answerBegins,
      { end: true },
      { expect: { type: "turn_end", id: "one", outcome: "session_ended" } },
      { expectEnd: true },
    ],
  },
];
