import type { AssistantMessage } from "./assistant.ts";
import type { ContentBlock, ToolResultBlock, ToolUseBlock } from "./content-blocks.ts";
import { isToolUseBlock } from "./guards.ts";
import type { Message } from "./message.ts";
import type { UserMessage, UserReplayMessage } from "./user.ts";

/**
 * Gives the text of content, of a tool result for example: the text blocks, joined as they are. Other blocks, such as thinking and images, have none.
 */
export function contentText(content: string | readonly ContentBlock[] | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  let text = "";
  // Whoever stands between the CLI and us may write blocks that are none.
  for (const block of content) if (block?.type === "text") text += block.text ?? "";
  return text;
}

/** Gives the text of a message. Empty where it has none. */
export function messageText(message: AssistantMessage | UserMessage | UserReplayMessage): string {
  return contentText(message.message.content);
}

/** Gives the tools that a message uses, in order. Empty for all but assistant messages. */
export function toolUses(message: Message): ToolUseBlock[] {
  return message.type === "assistant"
    ? message.message.content.filter((block) => block != null && isToolUseBlock(block))
    : [];
}

/** Gives the results of tools that a message brings, in order. Empty for all but user messages. */
export function toolResults(message: Message): ToolResultBlock[] {
  if (message.type !== "user" || typeof message.message.content === "string") return [];
  return message.message.content.filter((block): block is ToolResultBlock => block?.type === "tool_result");
}

/**
 * Gives the results of tools by the id of their tool use, so that uses and results meet: results come in the order in which tools
 * finish, in messages of their own. The last result of an id counts.
 */
export function toolResultsById(messages: Iterable<Message>): Map<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (const message of messages) for (const result of toolResults(message)) results.set(result.tool_use_id, result);
  return results;
}
