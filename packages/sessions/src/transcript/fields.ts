import type { TranscriptEnds } from "./ends.ts";
import type { EntryKey, TextWindow } from "./text-window.ts";

/** A parsed line, of which nothing is known but that it is an object. */
export type LooseEntry = Readonly<Record<string, unknown>>;

/**
 * Finds the last entry of a type with a string at a top-level key, and returns that string.
 *
 * Other lines that hold the same words (a prompt that quotes a transcript, a tool input) do not count, since the line is parsed. A record
 * that was glued to a torn line counts.
 *
 * @param type `undefined` takes entries of any type.
 */
export function lastField(window: TextWindow, type: string | undefined, key: EntryKey): string | undefined {
  const offsets = window.offsetsOf(key);
  let before = Number.POSITIVE_INFINITY;
  for (let index = offsets.length - 1; index >= 0; index--) {
    const offset = offsets[index] ?? 0;
    if (offset >= before) continue;
    const { start, end } = window.lineAround(offset);
    before = start;
    if (type !== undefined && !hasType(window.text, type, start, end)) continue;
    const entry = parseEntry(window.decode(start, end), type);
    if (entry === undefined || (type !== undefined && entry["type"] !== type)) continue;
    const value = entry[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** Finds the first value of a key, in any line and at any depth, also in a line that is cut off behind it. */
export function firstRaw(window: TextWindow, key: string): string | undefined {
  const tight = window.text.indexOf(`"${key}":"`);
  return rawValue(window, tight === -1 ? window.text.indexOf(`"${key}": "`) : tight);
}

/** Finds the value of a key that stands last, in any line and at any depth. */
export function lastRaw(window: TextWindow, key: string): string | undefined {
  const { text } = window;
  const [tight, loose] = [`"${key}":"`, `"${key}": "`];
  for (let end = text.length; end >= 0; ) {
    // Searching backwards is slow, and the loose spelling rare: it matters only behind the other.
    const last = text.lastIndexOf(tight, end);
    const isLoose = text.indexOf(loose, Math.max(last, 0)) !== -1;
    const offset = isLoose ? Math.max(last, text.lastIndexOf(loose, end)) : last;
    const value = rawValue(window, offset);
    // Without a value it is cut off by the end of the piece.
    if (value !== undefined || offset <= 0) return value;
    end = offset - 1;
  }
  return undefined;
}

/** The working directory of a session: where it was moved to last, else where it began. */
export function recordedFolder(ends: TranscriptEnds): string | undefined {
  const relocated = lastField(ends.tail, "relocated", "relocatedCwd");
  if (relocated) return relocated;
  for (const line of linesOf(ends.head, '"cwd":')) {
    const cwd = parseEntry(line)?.["cwd"];
    if (typeof cwd === "string" && cwd !== "") return cwd;
  }
  return undefined;
}

/** The lines of a window that hold a text, the first and the last of which may be cut. The text is ASCII; none gives all lines. */
export function* linesOf(window: TextWindow, holding = ""): Generator<string, undefined> {
  const { text } = window;
  for (let offset = text.indexOf(holding); offset !== -1 && offset < text.length; ) {
    const { start, end } = window.lineAround(offset);
    yield window.decode(start, end);
    offset = end < text.length ? text.indexOf(holding, end + 1) : -1;
  }
}

/**
 * Parses a line, if it is a JSON object.
 *
 * @param glued Where the line is broken, tries the last record of this type that begins inside it: a crash leaves a line without its end,
 * and the next record is appended to it.
 */
export function parseEntry(line: string, glued?: string): LooseEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // An object has members of unknown type, and that is all that LooseEntry promises.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LooseEntry) : undefined;
  } catch {
    if (glued === undefined) return undefined;
    const start = line.lastIndexOf(`{"type":"${glued}"`);
    // Behind these it is a value inside another record.
    if (start <= 0 || ":,[".includes(line.charAt(start - 1))) return undefined;
    return parseEntry(line.slice(start));
  }
}

function hasType(text: string, type: string, start: number, end: number): boolean {
  const tight = text.indexOf(`"type":"${type}"`, start);
  if (tight !== -1 && tight < end) return true;
  const loose = text.slice(start, end).indexOf(`"type": "${type}"`);
  return loose !== -1;
}

/** The string that begins behind the key at an offset; nothing where it is cut off. */
function rawValue(window: TextWindow, offset: number): string | undefined {
  if (offset === -1) return undefined;
  const { text } = window;
  const start = text.indexOf('"', text.indexOf(":", offset)) + 1;
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) return undefined;
  const raw = window.decode(start, end);
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}
