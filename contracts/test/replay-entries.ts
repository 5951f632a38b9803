import { decodeFrame, type FrameValue } from "@reins/streamjson";
import type { CaptureEntry } from "@reins/testkit";
import type { Capture } from "../tools/capture-files.ts";

/** The frames of a capture. Raw lines are left out: no transport can send them. */
export function entriesOf(capture: Capture): CaptureEntry[] {
  return capture.lines.flatMap(({ dir, text }) => {
    const frame = decodeFrame(text);
    return frame.error === undefined ? [{ dir, frame: frame.value }] : [];
  });
}

/** What a reader of messages gets of the frames of the CLI: all but control traffic and what is meant for the host alone. */
export function messagesOf(entries: readonly CaptureEntry[]): FrameValue[] {
  return entries
    .filter(
      ({ dir, frame }) => dir === "in" && !controlTypes.includes(String(frame.type)) && frame["sdk_host_only"] !== true,
    )
    .map(({ frame }) => withoutHostIds(frame));
}

const controlTypes = ["control_request", "control_response", "control_cancel_request", "keep_alive"];

/** The id of a request is the host's own in each run; everything else is compared. */
export function withoutHostIds(frame: FrameValue): FrameValue {
  return frame.subtype === "control_request_progress" ? { ...frame, request_id: "" } : frame;
}

/** The `response` of a control response; the fields of a control request. */
export function memberOf(frame: FrameValue, name: "request" | "response"): Readonly<Record<string, unknown>> {
  const member = frame[name];
  // A parsed object; what is none (there is a capture with one) has no members.
  return typeof member === "object" && member !== null ? (member as Record<string, unknown>) : {};
}

/** The answers to the CLI among frames of a host, by the id of the request. */
export function answersIn(frames: readonly FrameValue[]): Record<string, unknown> {
  const responses = frames
    .filter(({ type }) => type === "control_response")
    .map((frame) => memberOf(frame, "response"));
  return Object.fromEntries(responses.map((response) => [String(response["request_id"]), response]));
}

/** The answers that count in a recording: those to a request that was neither answered nor withdrawn before. */
export function expectedAnswers(entries: readonly CaptureEntry[]): Record<string, unknown> {
  const open = new Set<unknown>();
  const answers: FrameValue[] = [];
  for (const { dir, frame } of entries) {
    if (dir === "in" && frame.type === "control_request") open.add(frame["request_id"]);
    if (dir === "in" && frame.type === "control_cancel_request") open.delete(frame["request_id"]);
    const isAnswer = dir === "out" && frame.type === "control_response";
    if (isAnswer && open.delete(memberOf(frame, "response")["request_id"])) answers.push(frame);
  }
  return answersIn(answers);
}
