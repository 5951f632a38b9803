// C0 and C1 controls and DEL drive a terminal; the marks of direction (bidi) make text read as what it is not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes a text that somebody else wrote safe to show on a terminal: whatever could move the cursor, set a title, write to the clipboard or
 * reverse the text becomes visible instead. Line feeds and tabs stay.
 *
 * C0 controls become their pictures (`␛` for escape), the others `\u{9b}`.
 */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\\u{${code.toString(16)}}`;
  });
}

/** The same in one line, cut to so many characters. */
export function printableLine(text: string, longest: number = Number.POSITIVE_INFINITY): string {
  // What is cut away is not looked at: a prompt may be megabytes long. Four times as much, for the white space in it.
  const head = longest === Number.POSITIVE_INFINITY ? text : text.slice(0, longest * 4);
  const line = printable(head).replace(/\s+/g, " ").trim();
  if (line.length <= longest && head.length === text.length) return line;
  // Not between the halves of a character.
  return `${line
    .slice(0, longest - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}

/** One line of JSON that is safe to show on a terminal: the same value, the rest of what drives one written as `\u009b`. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return `${text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
