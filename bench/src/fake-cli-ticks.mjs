// A CLI that writes a small partial message every two milliseconds, with the time at which it did so. Its one argument that matters is
// BENCH_TICKS, how many.
import { hrtime, stdin, stdout } from "node:process";

const ticks = Number(process.env.BENCH_TICKS);
let rest = "";
stdin.setEncoding("utf8");
stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) take(JSON.parse(line));
});
stdin.on("end", () => process.exit());

function take(frame) {
  if (frame.type === "control_request") {
    write({ type: "control_response", response: { subtype: "success", request_id: frame.request_id, response: {} } });
  } else if (frame.type === "user") {
    tick(0);
  }
}

function tick(done) {
  if (done === ticks) {
    write({ type: "result", subtype: "success", is_error: false, result: "done", session_id: "s", uuid: "u" });
    return;
  }
  const delta = { type: "text_delta", text: "Hello wor" };
  // The monotonic clock is the same for all processes of a machine.
  const event = { type: "content_block_delta", index: 0, delta, at: Number(hrtime.bigint()) };
  write({ type: "stream_event", event, session_id: "s", parent_tool_use_id: null, uuid: "u" });
  setTimeout(tick, 2, done + 1);
}

function write(frame) {
  stdout.write(`${JSON.stringify(frame)}\n`);
}
