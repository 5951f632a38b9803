import type { ApiMessage, StopReason } from "./api-message.ts";
import type { AssistantBlock } from "./content-blocks.ts";
import type { MessageBase, PromptStamps } from "./envelope.ts";
import type { UnknownValue } from "./open.ts";
import type { ApiUsage } from "./usage.ts";

/**
 * An event of the API's stream, as it came. Only with `--include-partial-messages`, and only for the main conversation.
 *
 * `ping` and unknown events are not passed on by the CLI, unknown blocks and deltas are. Blocks are balanced even on failure: the CLI
 * closes an abandoned attempt itself, with a `message_stop` that carries {@link abandoned_blocks}. [verified on CLI 2.1.328]
 */
export interface StreamEventMessage extends MessageBase, PromptStamps {
  readonly type: "stream_event";
  readonly event: StreamEvent;
  readonly parent_tool_use_id: string | null;
  /** On `message_start`: milliseconds to the first token. */
  readonly ttft_ms?: number;
  /** The turn goes on where a restart of the worker cut it. */
  readonly resume_reason?: string;
  /**
   * On a made-up `message_stop`: the attempt was given up. Blocks of that response with this index or a higher one never become
   * an assistant message: drop their text.
   */
  readonly abandoned_blocks?: { readonly api_message_id: string; readonly from_block_index: number };
  /** Internal: `message.id` of the response. */
  readonly api_message_id?: string;
  /** Internal. */
  readonly thinking_display?: string;
  /** Internal. */
  readonly owed_rows?: unknown[];
  /** Internal. */
  readonly text_runs_joined?: true;
}

/** An event of the API's stream. */
export type StreamEvent =
  | MessageStartEvent
  | ContentBlockStartEvent
  | ContentBlockDeltaEvent
  | ContentBlockStopEvent
  | MessageDeltaEvent
  | MessageStopEvent
  | UnknownStreamEvent;

/** A response begins; its content is empty. */
export interface MessageStartEvent {
  readonly type: "message_start";
  readonly message: ApiMessage;
}

/** A block begins, empty but for results of the API's own tools, which come complete. */
export interface ContentBlockStartEvent {
  readonly type: "content_block_start";
  readonly index: number;
  readonly content_block: AssistantBlock;
}

/** A piece of a block. */
export interface ContentBlockDeltaEvent {
  readonly type: "content_block_delta";
  readonly index: number;
  readonly delta: ContentDelta;
}

/** A block ends. */
export interface ContentBlockStopEvent {
  readonly type: "content_block_stop";
  readonly index: number;
}

/** The response is about to end. `usage` counts the output so far; do not add several. */
export interface MessageDeltaEvent {
  readonly type: "message_delta";
  readonly delta: {
    readonly stop_reason: StopReason | null;
    readonly stop_sequence: string | null;
    readonly stop_details?: unknown;
    readonly container?: unknown;
  };
  readonly usage: MessageDeltaUsage;
  readonly context_management?: unknown;
}

/** Tokens of a response at its end. What the API does not repeat is as it was at the beginning. */
export interface MessageDeltaUsage extends Partial<ApiUsage> {
  readonly output_tokens: number;
}

/** The response ended. */
export interface MessageStopEvent {
  readonly type: "message_stop";
}

/** An event that this package does not know. */
export interface UnknownStreamEvent {
  readonly type: UnknownValue;
}

/** A piece of a block. */
export type ContentDelta = TextDelta | InputJsonDelta | ThinkingDelta | SignatureDelta | CitationsDelta | UnknownDelta;

/** Text to append. */
export interface TextDelta {
  readonly type: "text_delta";
  readonly text: string;
}

/** JSON text of a tool's input to append. The whole may be no valid JSON when it was cut. */
export interface InputJsonDelta {
  readonly type: "input_json_delta";
  readonly partial_json: string;
}

/** Thinking to append; empty, with an estimate only, where the API keeps the text back. */
export interface ThinkingDelta {
  readonly type: "thinking_delta";
  readonly thinking: string;
  readonly estimated_tokens?: number;
}

/** The signature of a thinking block. */
export interface SignatureDelta {
  readonly type: "signature_delta";
  readonly signature: string;
}

/** A citation to add to a text block. */
export interface CitationsDelta {
  readonly type: "citations_delta";
  readonly citation: unknown;
}

/** A delta that this package does not know, as the API wrote it. Its other fields: {@link fieldsOf}. */
export interface UnknownDelta {
  readonly type: UnknownValue;
}
