import type { Message } from "./message.ts";
import type { ContentDelta } from "./stream-event.ts";

/**
 * Gives the piece of a block that a stream event brings, and undefined for all other events and messages.
 *
 * @example
 * const delta = deltaOf(message);
 * if (delta?.type === "text_delta") process.stdout.write(delta.text);
 */
export function deltaOf(message: Message): ContentDelta | undefined {
  if (message.type !== "stream_event" || message.event.type !== "content_block_delta") return undefined;
  return message.event.delta;
}
