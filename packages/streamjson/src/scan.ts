/** The top-level `type` and `subtype` of a frame, where they are strings. */
export interface FrameTypes {
  readonly type?: string | undefined;
  readonly subtype?: string | undefined;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** An open bracket and an open brace differ in this bit only, and so do the closing ones. */
const braceBit = 0x20;

/**
 * Finds the values of the top-level `type` and `subtype` of a JSON object without parsing it.
 *
 * Agrees with `JSON.parse` where the text is valid: any key order, escaped keys, and of two equal keys the last. A value that
 * is no string counts as absent. The whole text is always read, since an early exit could be fooled by a second `type`.
 */
export function scanTypes(text: string): FrameTypes {
  const found: { -readonly [Key in keyof FrameTypes]: FrameTypes[Key] } = {};
  let depth = 0;
  let expectsKey = false;
  /** The key whose value comes next, if it is one of the two. */
  let key: keyof FrameTypes | undefined;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    let value: string | undefined;
    if (code === quote) {
      const start = i + 1;
      i = endOfString(text, start);
      if (i === -1) break;
      if (expectsKey || key !== undefined) value = unescapeString(text.slice(start, i));
      if (expectsKey) {
        if (value === "type" || value === "subtype") key = value;
        expectsKey = false;
        continue;
      }
    }
    if (key !== undefined && code > 0x20 && code !== colon) {
      found[key] = value;
      key = undefined;
    }
    if (code === comma) {
      expectsKey = depth === 1;
    } else if ((code | braceBit) === openBrace) {
      if (depth === 0 && code === openBracket) break;
      depth++;
      expectsKey = depth === 1;
    } else if ((code | braceBit) === closeBrace) {
      depth--;
    }
  }
  return found;
}

/** Index of the quote that ends the string whose first character is at `from`, or -1. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1) {
    let start = end;
    while (start > from && text.charCodeAt(start - 1) === backslash) start--;
    if ((end - start) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

function unescapeString(raw: string): string | undefined {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}
