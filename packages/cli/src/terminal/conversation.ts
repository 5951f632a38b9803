import { printable, printableLine } from "./printable.ts";
import type { Style } from "./style.ts";

/** Of what a tool was given and gave a line is shown, of this length. */
const toolTextLength = 160;

/**
 * Renders what one side said, as text for a terminal: texts whole, thoughts dimmed, tool calls and their results in a line each.
 *
 * @param message The `message` of a frame or transcript entry: anything, since files are not checked.
 */
export function renderMessage(message: unknown, style: Style): string {
  const content = isObject(message) ? message["content"] : message;
  if (typeof content === "string") return printable(content).trim();
  if (!Array.isArray(content)) return "";
  return content
    .map((block) => renderBlock(block, style))
    .filter((text) => text !== "")
    .join("\n");
}

function renderBlock(block: unknown, style: Style): string {
  if (!isObject(block)) return "";
  switch (block["type"]) {
    case "text":
      return printable(stringOf(block["text"])).trim();
    case "thinking":
      return style.dim(printable(stringOf(block["thinking"])).trim());
    case "tool_use":
      return `${style.cyan(`> ${printableLine(stringOf(block["name"]), 80)}`)} ${printableLine(inputText(block["input"]), toolTextLength)}`;
    case "tool_result": {
      const text = printableLine(resultText(block["content"]), toolTextLength);
      return block["is_error"] === true ? style.red(`< failed: ${text}`) : style.dim(`< ${text}`);
    }
    default:
      return style.dim(`[${printableLine(stringOf(block["type"]), 40)}]`);
  }
}

/** The one argument that tells most; else all of them. */
export function inputText(input: unknown): string {
  if (!isObject(input)) return "";
  for (const name of ["command", "file_path", "pattern", "url", "query", "description"]) {
    if (typeof input[name] === "string") return input[name];
  }
  return JSON.stringify(input) ?? "";
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (isObject(block) ? stringOf(block["text"] ?? `[${block["type"]}]`) : "")).join(" ");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
