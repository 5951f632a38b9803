import type { Frame } from "@reins/streamjson";
import { inputText, renderMessage } from "../terminal/conversation.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";

/** What of a frame is shown that has no text. */
const restLength = 200;

/** Renders a frame for a person: its line number and kind, then what it says. */
export function renderFrame(frame: Frame, style: Style): string {
  const { type = "?", subtype, value } = frame;
  const kind = printableLine(subtype === undefined ? type : `${type}/${subtype}`, 80);
  const head = `${style.dim(String(frame.lineNumber).padStart(5))} ${coloured(kind, type, style)}`;
  if (type === "assistant" || type === "user") {
    const text = renderMessage(value["message"], style);
    return `${head}\n${text === "" ? "" : `${text.replace(/^/gm, "      ")}\n`}`;
  }
  return `${head} ${printableLine(summary(frame), restLength)}\n`;
}

function coloured(kind: string, type: string, style: Style): string {
  if (type === "assistant") return style.bold(kind);
  if (type === "user") return style.green(kind);
  return type === "result" ? style.yellow(kind) : style.cyan(kind);
}

function summary({ type, value }: Frame): string {
  if (type === "result") return String(value["result"] ?? JSON.stringify(value["errors"]) ?? "");
  if (type === "stream_event") return eventText(value["event"]);
  const { type: _type, subtype: _subtype, session_id: _session, uuid: _uuid, request, response, ...rest } = value;
  return inputText(request ?? response ?? rest);
}

function eventText(event: unknown): string {
  if (typeof event !== "object" || event === null) return "";
  const { type, ...rest }: { type?: unknown } = event;
  return `${String(type)} ${Object.keys(rest).length === 0 ? "" : JSON.stringify(rest)}`;
}
