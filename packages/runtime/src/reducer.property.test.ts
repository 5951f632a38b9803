import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { endRuntimeEvents, initialRuntimeState, type RuntimeEvent, toRuntimeEvents } from "./events.ts";

const captures = join(import.meta.dirname, "../../../contracts/captures/2.1.328");

interface Entry {
  readonly dir: "in" | "out";
  readonly frame: Readonly<Record<string, unknown>>;
}

/** Every frame of the captures that leads to something. Those of the stream all look the same to the turns. */
const pool: readonly Entry[] = readdirSync(captures)
  .filter((file) => file.endsWith(".ndjson"))
  .flatMap((file) => readFileSync(join(captures, file), "utf8").trimEnd().split("\n"))
  .map((line): Entry => JSON.parse(line))
  .filter(({ frame }) => frame !== undefined && !["stream_event", "transcript_mirror"].includes(String(frame["type"])));

/** Frames that make and end turns, with ids that meet. */
const turnFrames = fc.constantFrom<Entry>(
  ...["a", "b", "c"].flatMap((uuid): Entry[] => [
    { dir: "out", frame: { type: "user", uuid, message: { content: "x" } } },
    { dir: "in", frame: { type: "system", subtype: "init", uuid: `init-${uuid}`, user_message_uuids: [uuid] } },
    { dir: "in", frame: { type: "result", is_error: false, uuid: `result-${uuid}`, user_message_uuids: [uuid] } },
    { dir: "in", frame: { type: "command_lifecycle", command_uuid: uuid, state: "completed" } },
    { dir: "in", frame: { type: "command_lifecycle", command_uuid: uuid, state: "cancelled" } },
  ]),
  { dir: "out", frame: { type: "user", message: { content: "x" } } },
  { dir: "in", frame: { type: "system", subtype: "init", uuid: "init" } },
  { dir: "in", frame: { type: "result", is_error: true } },
  { dir: "in", frame: { type: "result", is_error: false, origin: { kind: "task-notification" } } },
  hook("UserPromptSubmit", { prompt: "x", prompt_id: "p" }),
  hook("UserPromptSubmit", { prompt: "<task-notification>", prompt_id: "p" }),
);

function hook(name: string, input: Readonly<Record<string, unknown>>): Entry {
  const request = { subtype: "hook_callback", input: { hook_event_name: name, ...input } };
  return { dir: "in", frame: { type: "control_request", request_id: name, request } };
}

/** The events, with the end of the session behind the frames. */
function run(entries: readonly Entry[]): RuntimeEvent[] {
  let state = initialRuntimeState();
  const events: RuntimeEvent[] = [];
  for (const { dir, frame } of entries) {
    const step = toRuntimeEvents(frame, state, { direction: dir });
    state = step.state;
    events.push(...step.events);
  }
  return [...events, ...endRuntimeEvents(state).events];
}

function expectInvariant(events: readonly RuntimeEvent[]): void {
  const open = new Set<string>();
  const known = new Set<string>();
  for (const { type, turnId, turnNumber } of events) {
    if (type === "turn.started") {
      expect(turnId).toBeDefined();
      expect(known.has(turnId!)).toBe(false);
      open.add(turnId!);
      known.add(turnId!);
      expect(turnNumber).toBe(known.size);
    } else if (type === "turn.completed" || type === "turn.failed") expect(open.delete(turnId!)).toBe(true);
    else if (turnId !== undefined) expect(open.has(turnId)).toBe(true);
  }
  expect(open.size).toBe(0);
}

test("each turn that starts ends exactly once, whatever the order of the frames that begin and end turns", () => {
  fc.assert(
    fc.property(fc.array(turnFrames, { maxLength: 30 }), (entries) => expectInvariant(run(entries))),
    { numRuns: 500 },
  );
});

test("each turn that starts ends exactly once, whatever the order of any real frames", () => {
  const frames = fc.array(fc.integer({ min: 0, max: pool.length - 1 }), { maxLength: 60 });
  fc.assert(
    fc.property(frames, (indices) => expectInvariant(run(indices.map((index) => pool[index]!)))),
    { numRuns: 300 },
  );
});

test("a frame of any shape gives no error, and leaves the turns as they are or ends them", () => {
  const types = fc.constantFrom(
    "user",
    "assistant",
    "system",
    "result",
    "stream_event",
    "control_request",
    "control_response",
  );
  const shape = fc.record(
    {
      type: types,
      subtype: fc.jsonValue(),
      message: fc.jsonValue(),
      request: fc.jsonValue(),
      response: fc.jsonValue(),
    },
    { requiredKeys: ["type"] },
  );
  const entry = fc.record({ dir: fc.constantFrom("in" as const, "out" as const), frame: shape });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 10 }), (entries) => expectInvariant(run(entries))),
    { numRuns: 300 },
  );
});
