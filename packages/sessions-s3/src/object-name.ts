import { createHash } from "node:crypto";

/** Longest name that is kept readable. Three of them, a prefix of 300 and the rest stay below the 1,024 bytes of a key. */
const maxReadable = 150;

/** How much of a longer name is kept in front of its hash. */
const keptPrefix = 60;

/**
 * Turns any non-empty string into one segment of an object key, different for different strings.
 *
 * `A-Z a-z 0-9 -` stay, `_` is doubled, all else becomes `_xx` or `_uxxxx` per UTF-16 unit. So a segment consists of characters that no
 * client, proxy or server escapes, normalises or takes for a path, and lone surrogates survive. What would be too long keeps its
 * beginning and gets `_x` and its SHA-256; such a segment cannot be decoded.
 */
export function toSegment(text: string): string {
  let segment = "";
  // Whole escapes only, so that the mark behind it is not taken for a part of one.
  let kept = "";
  for (let i = 0; i < text.length; i++) {
    segment += encodeUnit(text[i] ?? "");
    if (segment.length <= keptPrefix) kept = segment;
  }
  if (segment.length <= maxReadable) return segment;
  // UTF-16, so that lone surrogates differ.
  const hash = createHash("sha256").update(Buffer.from(text, "utf16le")).digest("hex");
  return `${kept}_x${hash}`;
}

/** Reverts {@link toSegment}; `undefined` for one that was too long, and for what it never gives. */
export function fromSegment(segment: string): string | undefined {
  if (!/^(?:[A-Za-z0-9-]|__|_u[0-9a-f]{4}|_[0-9a-f]{2})+$/.test(segment)) return undefined;
  const text = segment.replace(/__|_u([0-9a-f]{4})|_([0-9a-f]{2})/g, (_, unit?: string, byte?: string) => {
    const code = unit ?? byte;
    return code === undefined ? "_" : String.fromCharCode(Number.parseInt(code, 16));
  });
  return toSegment(text) === segment ? text : undefined;
}

function encodeUnit(unit: string): string {
  if (/[A-Za-z0-9-]/.test(unit)) return unit;
  if (unit === "_") return "__";
  const code = unit.charCodeAt(0);
  return code > 0xff ? `_u${code.toString(16).padStart(4, "0")}` : `_${code.toString(16).padStart(2, "0")}`;
}
