import type { Draft } from "./draft.ts";
import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from "./json-value.ts";
import type { ResponseChunk } from "./runtime-event.ts";

/** An event of the stream of the main conversation. */
export function streamEventCame(draft: Draft, frame: JsonRecord): void {
  const event = recordOf(frame["event"]);
  if (event === undefined || frame["parent_tool_use_id"] != null) return;
  if (event["type"] === "message_start") {
    draft.patch({ streamedMessageId: textOf(recordOf(event["message"])?.["id"]) });
    return;
  }
  const chunk = chunkOf(event);
  if (chunk !== undefined) draft.emit("response.chunk", chunk);
}

/** The blocks of an assistant frame, as chunks where no stream has brought them. Of sub-agents there is never a stream. */
export function blocksCame(draft: Draft, frame: JsonRecord): void {
  const message = recordOf(frame["message"]);
  const messageId = textOf(message?.["id"]) ?? "";
  const agentToolUseId = textOf(frame["parent_tool_use_id"]);
  if (agentToolUseId === undefined && messageId !== "" && messageId === draft.state.streamedMessageId) return;
  for (const block of recordsOf(message?.["content"])) {
    if (agentToolUseId !== undefined && block["type"] !== "text") continue;
    const { blocks } = draft.state;
    const index = agentToolUseId === undefined && blocks?.messageId === messageId ? blocks.count : 0;
    if (agentToolUseId === undefined) draft.patch({ blocks: { messageId, count: index + 1 } });
    for (const chunk of chunksOf(block, index, frame)) draft.emit("response.chunk", chunk, { agentToolUseId });
  }
}

function chunkOf(event: JsonRecord): ResponseChunk | undefined {
  const type = event["type"];
  const number = numberOf(event["index"]);
  const index = number === undefined ? {} : { index: number };
  switch (type) {
    case "content_block_start":
      return { type, ...index, ...startOf(recordOf(event["content_block"]) ?? {}), raw: event };
    case "content_block_delta":
      return { type, ...index, ...deltaOf(recordOf(event["delta"]) ?? {}), raw: event };
    case "content_block_stop":
      return { type, ...index, raw: event };
    case "message_delta":
    case "message_stop":
      return { type, raw: event };
    default:
      return undefined;
  }
}

function chunksOf(block: JsonRecord, index: number, raw: JsonRecord): readonly ResponseChunk[] {
  const delta = wholeDeltaOf(block);
  return [
    { type: "content_block_start", index, ...startOf(block), raw },
    ...(delta === undefined ? [] : [{ type: "content_block_delta" as const, index, ...delta, raw }]),
    { type: "content_block_stop", index, raw },
  ];
}

function startOf(block: JsonRecord): Partial<ResponseChunk> {
  const blockType = textOf(block["type"]);
  const toolName = textOf(block["name"]);
  const toolUseId = toolName === undefined ? undefined : textOf(block["id"]);
  return {
    ...(blockType !== undefined && { blockType }),
    ...(toolName !== undefined && { toolName }),
    ...(toolUseId !== undefined && { toolUseId }),
  };
}

function deltaOf(delta: JsonRecord): Partial<ResponseChunk> {
  const deltaType = textOf(delta["type"]);
  const partialJson = textOf(delta["partial_json"]);
  const text = deltaType === "thinking_delta" ? textOf(delta["thinking"]) : textOf(delta["text"]);
  return {
    delta: text ?? "",
    ...(deltaType !== undefined && { deltaType }),
    ...(partialJson !== undefined && { partialJson }),
  };
}

function wholeDeltaOf(block: JsonRecord): Partial<ResponseChunk> | undefined {
  switch (block["type"]) {
    case "text":
      return { delta: textOf(block["text"]) ?? "", deltaType: "text_delta" };
    case "thinking":
      return { delta: textOf(block["thinking"]) ?? "", deltaType: "thinking_delta" };
    case "tool_use":
      return { delta: "", deltaType: "input_json_delta", partialJson: JSON.stringify(block["input"] ?? {}) };
    default:
      return undefined;
  }
}
