import { endRuntimeEvents, initialRuntimeState, type RuntimeEvent, toRuntimeEvents } from "@reins/runtime/events";

const log = [
  { type: "system", subtype: "init", session_id: "s1", permissionMode: "default", uuid: "i1" },
  { type: "assistant", session_id: "s1", message: { id: "m1", content: [{ type: "text", text: "Hello." }] } },
  { type: "result", subtype: "success", session_id: "s1", is_error: false, result: "Hello.", num_turns: 1 },
  { type: "system", subtype: "init", session_id: "s1", permissionMode: "plan", uuid: "i2" },
];

let state = initialRuntimeState();
for (const frame of log) {
  const step = toRuntimeEvents(frame, state);
  state = step.state;
  step.events.forEach(show);
}
endRuntimeEvents(state).events.forEach(show);

function show({ turnNumber, type, data }: RuntimeEvent): void {
  console.log(turnNumber, type, "delta" in data ? data.delta : "");
}
