import { createHash } from "node:crypto";

/** Longest name that is kept readable; file systems allow 255 bytes, and suffixes and prefixes come on top. */
const maxReadable = 150;

/** How much of a longer name is kept in front of its hash. */
const keptPrefix = 80;

/**
 * Turns any non-empty string into the name of one folder, different for different strings.
 *
 * `a-z`, `0-9`, `-` and `_` stay, capitals become `+` and the small letter (some file systems do not tell them apart), all else becomes
 * `%xx` or `%uxxxx` per UTF-16 unit: so no separator, no dot, no character that a file system would normalise, and lone surrogates
 * survive. Names that would be too long keep their beginning and get a SHA-256; those cannot be decoded.
 */
export function toFileName(text: string): string {
  let name = "";
  for (let i = 0; i < text.length; i++) name += encodeUnit(text[i] ?? "");
  if (isReservedName(name)) name = `${percent(name.charCodeAt(0))}${name.slice(1)}`;
  if (name.length <= maxReadable) return name;
  // UTF-16, so that lone surrogates differ.
  const hash = createHash("sha256").update(Buffer.from(text, "utf16le")).digest("hex");
  return `${name.slice(0, keptPrefix)}~${hash}`;
}

/** Reverts {@link toFileName}; `undefined` for a name that was too long, and for one that it never gives. */
export function fromFileName(name: string): string | undefined {
  const text = name.replace(
    /\+([a-z])|%u([0-9a-f]{4})|%([0-9a-f]{2})/g,
    (_, letter?: string, unit?: string, byte?: string) =>
      letter === undefined ? String.fromCharCode(Number.parseInt(unit ?? byte ?? "", 16)) : letter.toUpperCase(),
  );
  return toFileName(text) === name && !isHashedName(name) ? text : undefined;
}

/** Tells whether a name was too long to be kept. */
export function isHashedName(name: string): boolean {
  return name.includes("~");
}

function encodeUnit(unit: string): string {
  if (/[a-z0-9_-]/.test(unit)) return unit;
  if (/[A-Z]/.test(unit)) return `+${unit.toLowerCase()}`;
  return percent(unit.charCodeAt(0));
}

function percent(code: number): string {
  return code > 0xff ? `%u${code.toString(16).padStart(4, "0")}` : `%${code.toString(16).padStart(2, "0")}`;
}

/** Windows takes these for devices. */
function isReservedName(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)$/.test(name);
}
