import { plainLine, plainText } from "./plain-text.ts";
import type { Style } from "./style.ts";
import { wrapVerbatim } from "./wrap.ts";

/** The member of a tool's input that says most about a call, the first that is there. */
const telling = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "path",
  "url",
  "query",
  "description",
  "prompt",
  "plan",
] as const;

/** A call in one line, without control characters: the name, and what it is about. */
export function toolSummary(name: string, input: Readonly<Record<string, unknown>>): string {
  const shortName = plainLine(name.replace(/^mcp__(.+?)__/, "$1: "));
  const member = telling.find((key) => typeof input[key] === "string");
  if (member !== undefined) return `${shortName} ${plainLine(String(input[member]))}`;
  const questions = Array.isArray(input["questions"]) ? input["questions"].flatMap(questionText) : [];
  if (questions.length > 0) return `${shortName} ${plainLine(questions.join(" "))}`;
  return Object.keys(input).length === 0 ? shortName : `${shortName} ${plainLine(JSON.stringify(input))}`;
}

function questionText(value: unknown): string[] {
  const isQuestion = typeof value === "object" && value !== null && "question" in value;
  return isQuestion && typeof value.question === "string" ? [value.question] : [];
}

/** What a call would do, in lines: a command as it is, a change as a diff, anything else as JSON. */
export function toolDetails(
  input: Readonly<Record<string, unknown>>,
  room: { readonly width: number; readonly height: number; readonly style: Style },
): string[] {
  const { style, width, height } = room;
  const text = (key: string): string | undefined => (typeof input[key] === "string" ? String(input[key]) : undefined);
  const command = text("command");
  const path = text("file_path");
  const [before, after, content] = [text("old_string"), text("new_string"), text("content")];
  const lines: string[] = [];
  const longest = Math.max(height, 1);
  let left = 0;
  const add = (source: string, sign: string, paint: (line: string) => string): void => {
    for (const line of plainText(source).split("\n")) {
      // There may be very many, and they are set anew with each key.
      if (lines.length >= longest) left++;
      else for (const part of wrapVerbatim(line, width - 2 - sign.length)) lines.push(paint(`  ${sign}${part}`));
    }
  };
  if (command !== undefined) add(command, "", style.cyan);
  else if (path !== undefined && (content ?? after) !== undefined) {
    add(path, "", style.bold);
    if (before !== undefined) add(before, "- ", style.red);
    add(content ?? after ?? "", "+ ", style.green);
  } else if (path !== undefined && Object.keys(input).length === 1) add(path, "", style.cyan);
  else if (Object.keys(input).length > 0) add(JSON.stringify(input, null, 2), "", (line) => line);
  // What cannot be seen must not look as if it were not there.
  const shown = lines.slice(0, longest);
  const hidden = lines.length - shown.length + left;
  return hidden > 0 ? [...shown, style.yellow(`  … and ${hidden} more ${hidden === 1 ? "line" : "lines"}`)] : shown;
}

/** The text of what a tool gave; `undefined` where there is none to show. */
export function outputText(output: unknown): string | undefined {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) {
    const texts = output.flatMap((block) => outputText(block) ?? []);
    return texts.length > 0 ? texts.join("\n") : undefined;
  }
  if (typeof output !== "object" || output === null) return undefined;
  if ("stdout" in output && typeof output.stdout === "string") {
    const stderr = "stderr" in output && typeof output.stderr === "string" ? output.stderr : "";
    return [output.stdout, stderr].filter((text) => text !== "").join("\n");
  }
  if ("content" in output && Array.isArray(output.content)) return outputText(output.content);
  if ("text" in output && typeof output.text === "string") return output.text;
  return undefined;
}
