import { Frame } from "@reins/streamjson";
import type { ControlEnvelope } from "./control/envelope.ts";
import { MessageParseError } from "./errors.ts";
import type { KeepAliveFrame, TranscriptMirrorFrame } from "./host-frames.ts";
import { isKnownKind } from "./known-kinds.ts";
import type { KnownMessage, UnknownMessage } from "./message.ts";
import { isRecord } from "./record.ts";

/** A frame that is meant for the host's machinery and not for the user of a session. */
export type ControlFrame = ControlEnvelope | KeepAliveFrame | TranscriptMirrorFrame;

/** What a frame is. The message or frame is the very object that was parsed: nothing is copied, renamed or dropped. */
export type ParsedFrame =
  | { readonly kind: "message"; readonly message: KnownMessage }
  | { readonly kind: "unknown"; readonly message: UnknownMessage }
  | { readonly kind: "control"; readonly frame: ControlFrame };

/**
 * Tells what a frame is, cheaply: it looks at `type`, `subtype` and the few fields without which a message cannot be used.
 *
 * Unknown types, subtypes, blocks, values and fields are data. A result of an unknown subtype is a result, since `is_error` is its
 * verdict. Everything that is not needed may be absent: gateways and older CLIs leave out `uuid`, `usage` and more.
 *
 * @param frame A frame, or its parsed value.
 * @throws {@link MessageParseError} for what is no object, and for these: assistant without an array as `message.content`; user without
 * text or an array there; result without `subtype` and `is_error`; stream_event without `event.type`; system without `subtype`; a
 * control request, response or cancellation, or a transcript mirror, without its content. The next frame is not affected.
 * @throws MalformedFrameError, FrameTooLargeError when a frame that was delivered unchecked is none.
 * @example
 * for await (const frame of decodeFrames(stdout)) {
 *   const parsed = parseMessage(frame);
 *   if (parsed.kind === "message" && parsed.message.type === "result") console.log(resultOutcome(parsed.message).kind);
 * }
 */
export function parseMessage(frame: Frame | object): ParsedFrame {
  const value: unknown = isFrame(frame) ? frame.value : frame;
  if (!isRecord(value)) {
    throw new MessageParseError({ type: undefined, field: "", expected: "an object", value, line: undefined });
  }
  const fault = findFault(value);
  if (fault !== undefined)
    throw new MessageParseError({
      type: String(value["type"]),
      ...fault,
      value,
      line: isFrame(frame) ? frame.text : undefined,
    });
  // The checks above are what the types promise of an object that the CLI wrote; the rest is taken on trust, as documented.
  switch (value["type"]) {
    case "control_request":
    case "control_response":
    case "control_cancel_request":
    case "keep_alive":
    case "transcript_mirror":
      return { kind: "control", frame: value as unknown as ControlFrame };
    default:
      return isKnownKind(value["type"], value["subtype"])
        ? { kind: "message", message: value as unknown as KnownMessage }
        : { kind: "unknown", message: value as unknown as UnknownMessage };
  }
}

function isFrame(frame: Frame | object): frame is Frame {
  if (frame instanceof Frame) return true;
  // One of another copy of the package: values that were parsed hold no bytes.
  return isRecord(frame) && frame["bytes"] instanceof Uint8Array;
}

interface Fault {
  readonly field: string;
  readonly expected: string;
}

function findFault(value: Readonly<Record<string, unknown>>): Fault | undefined {
  switch (value["type"]) {
    case "assistant":
      return Array.isArray(member(value["message"], "content")) ? undefined : fault("message.content", "an array");
    case "user": {
      const content = member(value["message"], "content");
      return typeof content === "string" || Array.isArray(content)
        ? undefined
        : fault("message.content", "text or an array");
    }
    case "result":
      if (typeof value["subtype"] !== "string") return fault("subtype", "text");
      return typeof value["is_error"] === "boolean" ? undefined : fault("is_error", "a boolean");
    case "system":
      return typeof value["subtype"] === "string" ? undefined : fault("subtype", "text");
    case "stream_event":
      return typeof member(value["event"], "type") === "string" ? undefined : fault("event.type", "text");
    case "control_request":
      return typeof member(value["request"], "subtype") === "string" ? undefined : fault("request.subtype", "text");
    case "control_response":
      return isRecord(value["response"]) ? undefined : fault("response", "an object");
    case "control_cancel_request":
      return typeof value["request_id"] === "string" ? undefined : fault("request_id", "text");
    case "transcript_mirror":
      if (typeof value["filePath"] !== "string") return fault("filePath", "text");
      return Array.isArray(value["entries"]) ? undefined : fault("entries", "an array");
    default:
      return undefined;
  }
}

function fault(field: string, expected: string): Fault {
  return { field, expected };
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
