import { apiError, type ScriptedTurn } from "@reins/testkit";

/** A block of a reply as the API streams it: how it starts, and its deltas. */
export interface RawBlock {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas?: readonly Readonly<Record<string, unknown>>[];
}

/** What a {@link rawReply} is made of. */
export interface RawReply {
  readonly id: string;
  readonly model?: string;
  readonly blocks: readonly RawBlock[];
  /** The delta of `message_delta`. */
  readonly end: Readonly<Record<string, unknown>>;
}

/** A reply with what the scripted model has no words for: blocks and deltas of every type, fields of the end. */
export function rawReply({ id, model = "claude-opus-5-5", blocks, end }: RawReply): ScriptedTurn {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 };
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  const events = [
    { type: "message_start", message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    ...blocks.flatMap(({ start, deltas = [] }, index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "ping" },
    { type: "message_delta", delta: { stop_sequence: null, ...end }, usage },
    { type: "message_stop" },
  ];
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  // Not an error: only an error may bring a body of its own.
  return apiError(200, { body, headers: { "content-type": "text/event-stream" } });
}
