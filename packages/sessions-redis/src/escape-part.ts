/**
 * Writes a part of a session key so that it can stand in a Redis key: letters, digits, `-`, `_`, `.`, `/`, and what is not ASCII stay.
 * All else is `%` and two hex digits: the colon that separates parts, the braces of hash tags, the wildcards of patterns, spaces, controls.
 * Halves of surrogate pairs are `%u` and four digits, since UTF-8 has no room for them and a client would make all of them the same.
 */
export function escapePart(part: string): string {
  // Nearly always: an id, of which there is one per entry.
  if (/^[\w\-./]*$/.test(part)) return part;
  return part.replace(
    /[^\w\-./\u0080-\ud7ff\ue000-\uffff]|[\ud800-\udfff]/gu,
    // With the `u` flag a whole pair is one match of the first class, and is kept.
    (text) => {
      if (text.length === 2) return text;
      const code = text.charCodeAt(0);
      return code < 0x80 ? `%${code.toString(16).padStart(2, "0")}` : `%u${code.toString(16)}`;
    },
  );
}

/** Reads what {@link escapePart} wrote. */
export function unescapePart(text: string): string {
  return text.replace(/%u([0-9a-f]{4})|%([0-9a-f]{2})/g, (_, half: string | undefined, ascii: string | undefined) =>
    String.fromCharCode(Number.parseInt(half ?? ascii ?? "", 16)),
  );
}
