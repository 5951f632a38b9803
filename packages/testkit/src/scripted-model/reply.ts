import { blocksOf, DEFAULT_USAGE, type ScriptedBlock, type ScriptedError, type ScriptedTurn } from "./turn.ts";

/** One server-sent event. The wire repeats `type` as the name of the event. */
export interface ReplyEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The ids of one reply. `nextToolUseId` is called for each tool use that brings none. */
export interface ReplyIds {
  readonly messageId: string;
  readonly model: string;
  readonly nextToolUseId: () => string;
}

/** A block as the API writes it whole. */
type WireBlock = { readonly type: string; readonly [field: string]: unknown };

/** The reply of a turn as a client gets it that asked for no stream. */
export function toMessage(turn: ScriptedTurn, ids: ReplyIds): Record<string, unknown> {
  return { ...emptyMessage(ids), content: wireBlocks(turn, ids), stop_reason: stopReason(turn), usage: usage(turn) };
}

/** The reply of a turn as events of a stream. */
export function toEvents(turn: ScriptedTurn, ids: ReplyIds): ReplyEvent[] {
  const wire = wireBlocks(turn, ids);
  const counts = usage(turn);
  return [
    // As the API does it: the input is known at the start, the output only at the end.
    { type: "message_start", message: { ...emptyMessage(ids), usage: { ...counts, output_tokens: 1 } } },
    ...blocksOf(turn).flatMap((block, index) => blockEvents(block, wire[index]!, index)),
    { type: "message_delta", delta: { stop_reason: stopReason(turn), stop_sequence: null }, usage: counts },
    { type: "message_stop" },
  ];
}

/** Body of an error response, and data of an `error` event. */
export function toErrorBody(error: ScriptedError): Record<string, unknown> {
  const type = error.type ?? errorTypes[error.status] ?? "api_error";
  return { type: "error", error: { type, message: error.message ?? `Scripted error ${error.status}.` } };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

function emptyMessage({ messageId, model }: ReplyIds): Record<string, unknown> {
  return {
    id: messageId,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function stopReason(turn: ScriptedTurn): string {
  if (turn.stopReason !== undefined) return turn.stopReason;
  return blocksOf(turn).some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
}

function usage(turn: ScriptedTurn): Record<string, unknown> {
  return { ...DEFAULT_USAGE, ...turn.usage };
}

/** Whole blocks. Called once for each reply, because it gives out ids. */
function wireBlocks(turn: ScriptedTurn, ids: ReplyIds): WireBlock[] {
  return blocksOf(turn).map((block) => wireBlock(block, ids));
}

function wireBlock(block: ScriptedBlock, ids: ReplyIds): WireBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.deltas.join("") };
    case "thinking":
      return { type: "thinking", thinking: block.deltas.join(""), signature: SIGNATURE };
    case "tool_use":
      return { type: "tool_use", id: block.id ?? ids.nextToolUseId(), name: block.name, input: block.input };
  }
}

function blockEvents(block: ScriptedBlock, wire: WireBlock, index: number): ReplyEvent[] {
  const delta = (type: string, fields: object): ReplyEvent => ({
    type: "content_block_delta",
    index,
    delta: { type, ...fields },
  });
  const start = (empty: object): ReplyEvent => ({
    type: "content_block_start",
    index,
    content_block: { ...wire, ...empty },
  });
  const stop: ReplyEvent = { type: "content_block_stop", index };
  switch (block.type) {
    case "text":
      return [start({ text: "" }), ...block.deltas.map((text) => delta("text_delta", { text })), stop];
    case "thinking":
      return [
        start({ thinking: "", signature: "" }),
        ...block.deltas.map((part) => delta("thinking_delta", { thinking: part })),
        delta("signature_delta", { signature: SIGNATURE }),
        stop,
      ];
    case "tool_use":
      return [start({ input: {} }), delta("input_json_delta", { partial_json: JSON.stringify(block.input) }), stop];
  }
}

// The CLI sends signatures back and never looks into them.
const SIGNATURE = "c2NyaXB0ZWQ=";
