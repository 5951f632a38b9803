import { type ContentBlock, checkBlock } from "./content-block.ts";
import { isRecord, jsonCopy, toJson } from "./json.ts";

/** The result of a tool call, in the shape of the Model Context Protocol. */
export interface CallToolResult {
  readonly content?: readonly ContentBlock[];
  /** Data for programs. Given this, the CLI shows the model its JSON **in place of** `content`. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** The tool failed; `content` says how. */
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * Turns what a handler returned into a result that the CLI accepts, and what it would not accept into an error result that says why. The
 * result is nothing but JSON.
 */
export function toCallToolResult(value: unknown): CallToolResult {
  if (value === undefined || value === null) return errorResult("The tool returned no result.");
  if (typeof value === "string") return textResult(value);
  if (value instanceof Error) return errorResult(textOfThrown(value));
  if (isRecord(value) && ("content" in value || "structuredContent" in value || "isError" in value))
    return checkedResult(value);
  const text = toJson(value);
  return text === undefined
    ? errorResult(`The tool returned a value of type ${typeof value} that cannot be written as JSON.`)
    : textResult(text);
}

/** A result that tells the model what went wrong. */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
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

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

/**
 * The CLI refuses a result as a whole for one bad block, in a text that does not help the model. What it is stricter about, such as the
 * annotations of a block, it says to the model itself.
 */
function checkedResult(result: Readonly<Record<string, unknown>>): CallToolResult {
  const { content = [], ...others } = result;
  if (!Array.isArray(content)) return malformedResult("its content is no list");
  const blocks: ContentBlock[] = [];
  for (const [index, block] of content.entries()) {
    const checked = checkBlock(block);
    if ("problem" in checked) return malformedResult(`block ${index} ${checked.problem}`);
    blocks.push(checked.block);
  }
  const rest = jsonCopy(others);
  if (!isRecord(rest)) return malformedResult("it holds something that cannot be written as JSON");
  const { structuredContent = {}, isError = false, _meta = {} } = rest as Record<string, unknown>;
  if (!isRecord(structuredContent)) return malformedResult("its structuredContent is no object");
  if (typeof isError !== "boolean") return malformedResult("its isError is no boolean");
  if (!isRecord(_meta)) return malformedResult("its _meta is no object");
  return { ...rest, content: blocks };
}

function malformedResult(problem: string): CallToolResult {
  return errorResult(`The tool returned a malformed result: ${problem}.`);
}
