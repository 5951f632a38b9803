import { createHash } from "node:crypto";

/** Longer names go into the index as their hash. A UUID has 36. */
const maxUuidBytes = 500;

/** What a column of text cannot hold: U+0000 and halves of surrogate pairs. A line feed would end a line of the batch. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const unstorable = /[\\\u0000\n\p{Cs}]/gu;

/**
 * Writes a part of a key as text that Postgres can hold. Different parts give different texts, and most parts are their own text.
 *
 * A backslash is doubled; U+0000, a line feed and halves of surrogate pairs become `\uXXXX`.
 */
export function toKeyText(part: string): string {
  return part.replace(unstorable, (found) =>
    found === "\\" ? "\\\\" : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Reads what {@link toKeyText} wrote. */
export function fromKeyText(text: string): string {
  return text.replace(/\\(?:\\|u([0-9a-f]{4}))/g, (_, hex: string | undefined) =>
    hex === undefined ? "\\" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Writes the `uuid` of an entry for the index; one that is too long for it as its hash, in a form that no other text has. */
export function toUuidText(uuid: string): string {
  const text = toKeyText(uuid);
  if (Buffer.byteLength(text) <= maxUuidBytes) return text;
  return `\\h${createHash("sha256").update(text).digest("hex")}`;
}
