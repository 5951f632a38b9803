import { FrameEncodeError, toError } from "./errors.ts";
import { Frame, type FrameValue } from "./frame.ts";

/**
 * Encodes a value as one line with its newline.
 *
 * U+0085, U+2028 and U+2029 are escaped, as the CLI does, so that readers which take them for line ends are not misled. Members that are
 * `undefined` are left out, as in `JSON.stringify`; what JSON would silently change (functions, symbols, NaN, infinities, `undefined` in
 * an array) is refused. A {@link Frame} is written with the text that was read, without its padding.
 *
 * @throws {@link FrameEncodeError} when the value is no plain object, or holds something that JSON cannot carry.
 */
export function encodeFrame(value: Frame | FrameValue): string {
  let line: string;
  try {
    // The newline comes first: what looks into a text makes it one piece in memory, and a newline behind that would have it copied again.
    line = `${value instanceof Frame ? textOf(value) : JSON.stringify(value, refuseLossy)}\n`;
  } catch (error) {
    throw new FrameEncodeError(toError(error).message, error);
  }
  if (!line.startsWith("{")) throw new FrameEncodeError("it is not a JSON object");
  // Three searches for a character are done in a twentieth of the time of one for a class.
  const isPlain = !line.includes("\u0085") && !line.includes("\u2028") && !line.includes("\u2029");
  return isPlain ? line : line.replace(/[\u0085\u2028\u2029]/g, escapeCharacter);
}

/** @throws {@link FrameError} when the frame is none. */
function textOf(frame: Frame): string {
  if (frame.error !== undefined) throw frame.error;
  // A CR can only stand between tokens here.
  return frame.text.trim().replace(/\r/g, " ");
}

function refuseLossy(this: unknown, key: string, value: unknown): unknown {
  const isLossy =
    typeof value === "function" ||
    typeof value === "symbol" ||
    (typeof value === "number" && !Number.isFinite(value)) ||
    (value === undefined && Array.isArray(this));
  if (isLossy) {
    const what = typeof value === "function" ? "a function" : String(value);
    throw new TypeError(`the value of ${JSON.stringify(key)} is ${what}`);
  }
  return value;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
