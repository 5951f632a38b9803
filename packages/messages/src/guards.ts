import type { AssistantMessage } from "./assistant.ts";
import type { ToolUseBlock } from "./content-blocks.ts";
import type { InboundRequests } from "./control/inbound.ts";
import { isKnownKind } from "./known-kinds.ts";
import type { KnownMessage } from "./message.ts";
import type { ResultMessage } from "./result.ts";
import type { InputJsonDelta, StreamEventMessage, TextDelta, ThinkingDelta } from "./stream-event.ts";
import type { HostedSystemMessage } from "./system/hosted-messages.ts";
import type { SystemMessage } from "./system/system-message.ts";
import type { UserMessage, UserReplayMessage } from "./user.ts";

/**
 * Something with a type: a message, or the parsed value of a frame. A `Frame` itself does not fit, for it has the type and none of
 * the message's other fields: pass `frame.value`.
 */
export interface Typed {
  readonly type?: unknown;
  readonly subtype?: unknown;
  readonly bytes?: undefined;
}

/** Is there a type for this message? The others are delivered all the same. */
export function isKnownMessage(message: Typed): message is KnownMessage {
  return isKnownKind(message.type, message.subtype);
}

/** Is it an answer of the model? */
export function isAssistantMessage(message: Typed): message is AssistantMessage {
  return message.type === "assistant";
}

/** Is it a message in the user's role: the result of a tool, words of the harness, or a replayed prompt? */
export function isUserMessage(message: Typed): message is UserMessage | UserReplayMessage {
  return message.type === "user";
}

/** Is it the host's own prompt, written back? */
export function isUserReplayMessage(message: Typed & { readonly isReplay?: unknown }): message is UserReplayMessage {
  return message.type === "user" && message.isReplay === true;
}

/** Is it the end of a turn? Of any subtype, also one that is not known yet. */
export function isResultMessage(message: Typed): message is ResultMessage {
  return message.type === "result";
}

/** Is it an event of the API's stream? */
export function isStreamEventMessage(message: Typed): message is StreamEventMessage {
  return message.type === "stream_event";
}

/** Is it a system message of this subtype? */
export function isSystemMessage<Subtype extends (SystemMessage | HostedSystemMessage)["subtype"]>(
  message: Typed,
  subtype: Subtype,
): message is Extract<SystemMessage | HostedSystemMessage, { readonly subtype: Subtype }> {
  return message.type === "system" && message.subtype === subtype;
}

/** Is it a request of the CLI of this subtype? */
export function isInboundRequest<Subtype extends keyof InboundRequests>(
  request: { readonly subtype: string },
  subtype: Subtype,
): request is InboundRequests[Subtype]["request"] {
  return request.subtype === subtype;
}

/** Is it a tool use of the model? Not those that the API runs itself. */
export function isToolUseBlock(block: Typed): block is ToolUseBlock {
  return block.type === "tool_use";
}

/** Is it text to append? */
export function isTextDelta(delta: Typed): delta is TextDelta {
  return delta.type === "text_delta";
}

/** Is it thinking to append? */
export function isThinkingDelta(delta: Typed): delta is ThinkingDelta {
  return delta.type === "thinking_delta";
}

/** Is it JSON text of a tool's input to append? */
export function isInputJsonDelta(delta: Typed): delta is InputJsonDelta {
  return delta.type === "input_json_delta";
}

/**
 * Is a task over? True for `completed`, `failed`, `killed` and `stopped`; false for all others, also unknown ones, so that a task is
 * never taken for over while it runs.
 */
export function isTerminalTaskStatus(status: string | undefined): boolean {
  return status === "completed" || status === "failed" || status === "killed" || status === "stopped";
}
