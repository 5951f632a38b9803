import { type ContentBlock, checkBlock } from "./content-block.ts";
import { isRecord, jsonCopy, toJson } from "./json.ts";
import { type CallToolResult, toolResult } from "./tool-result.ts";

/**
 * Turns what a handler returned into a result that the CLI accepts, and what it would not accept into an error result that says why. The
 * result is nothing but JSON.
 */
export function toCallToolResult(value: unknown): CallToolResult {
  if (value === undefined || value === null) return toolResult.error("The tool returned no result.");
  if (typeof value === "string") return toolResult.text(value);
  if (value instanceof Error) return toolResult.error(textOfThrown(value));
  if (ArrayBuffer.isView(value))
    return toolResult.error("The tool returned bytes. Of an image, make toolResult.image.");
  if (isResult(value)) return checkedResult(value);
  const text = toJson(value);
  return text === undefined
    ? toolResult.error(`The tool returned a value of type ${typeof value} that cannot be written as JSON.`)
    : toolResult.text(text);
}

/** What was thrown, in words. Throws never, whatever it is. */
export function textOfThrown(thrown: unknown): string {
  try {
    const text = isRecord(thrown) ? (thrown["message"] ?? toJson(thrown) ?? thrown) : thrown;
    // An error without a message still has a name.
    return String(text) || String(thrown) || "The tool failed without saying why.";
  } catch {
    return "The tool threw something that cannot be put into words.";
  }
}

function isResult(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  // Data of the tool may have a member called isError too; with other members beside it, it is that.
  const says = (key: string): boolean => key === "isError" || key === "_meta";
  return "content" in value || "structuredContent" in value || ("isError" in value && Object.keys(value).every(says));
}

/** The CLI refuses a result as a whole for one bad block, in a text that does not help the model. */
function checkedResult(result: Readonly<Record<string, unknown>>): CallToolResult {
  const { content = [], ...others } = result;
  if (!Array.isArray(content)) return malformedResult("its content is no list (return data with toolResult.json)");
  const blocks: ContentBlock[] = [];
  for (const [index, block] of content.entries()) {
    const checked = checkBlock(block);
    if ("problem" in checked) return malformedResult(`block ${index} ${checked.problem}`);
    blocks.push(checked.block);
  }
  // Most results are nothing but content.
  const rest = Object.keys(others).length === 0 ? others : jsonCopy(others);
  if (!isRecord(rest)) return malformedResult("it holds something that cannot be written as JSON");
  const { structuredContent = {}, isError = false, _meta = {} } = rest as Record<string, unknown>;
  if (!isRecord(structuredContent)) return malformedResult("its structuredContent is no object");
  if (typeof isError !== "boolean") return malformedResult("its isError is no boolean");
  if (!isRecord(_meta)) return malformedResult("its _meta is no object");
  return { ...rest, content: blocks };
}

function malformedResult(problem: string): CallToolResult {
  return toolResult.error(`The tool returned a malformed result: ${problem}.`);
}
