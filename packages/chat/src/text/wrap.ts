import wrapAnsi from "wrap-ansi";
import { charactersOf, widthOf } from "./width.ts";

/** Wraps text that may have colours. Words that are longer than a line are cut. */
export function wrap(text: string, width: number): string[] {
  const wrapped = (part: string): string[] => wrapAnsi(part, Math.max(width, 1), { hard: true }).split("\n");
  // A colour may go on in the next line, which the library takes care of when it sees both.
  if (text.includes("\x1b")) return wrapped(text);
  // It takes 10 to 20 ms for 1000 characters, and most lines fit as they are.
  return text.split("\n").flatMap((line) => (line.length > width || !isAscii(line) ? wrapped(line) : line.trim()));
}

/** Cuts text without colours into lines, with all spaces kept: code and output, of which there may be much. */
export function wrapVerbatim(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => cut(line, Math.max(width, 1)));
}

function cut(line: string, width: number): string[] {
  if (isAscii(line)) {
    if (line.length <= width) return [line];
    return Array.from({ length: Math.ceil(line.length / width) }, (_, i) => line.slice(i * width, (i + 1) * width));
  }
  const lines: string[] = [];
  let part = "";
  let used = 0;
  for (const character of charactersOf(line)) {
    const columns = widthOf(character);
    if (used + columns > width && part !== "") {
      lines.push(part);
      part = "";
      used = 0;
    }
    part += character;
    used += columns;
  }
  return [...lines, part];
}

function isAscii(line: string): boolean {
  return /^[\x20-\x7e]*$/.test(line);
}
