/** What stands in a capture for text of the CLI's authors. */
export const neutral = "Text.";

/**
 * Replaces prose that is not ours by neutral text.
 *
 * What is one word is a value of the wire (an enumeration, a name, an id, a path) and stays. So does what consists of texts of the
 * scenario and of signs. Pairs of tags (`<task-notification>`), by which hosts tell such texts apart, stay around what they hold.
 */
export class NeutralText {
  readonly #ours: readonly string[];

  constructor(ours: readonly string[]) {
    const pieces = new Set(ours.map((text) => text.trim()).filter((text) => text.length > 1 && hasWord(text)));
    // The longest first, so that a short one does not tear a longer one apart.
    this.#ours = [...pieces].sort((left, right) => right.length - left.length);
  }

  /** The text as a capture has it. */
  of(text: string): string {
    if (this.#isWire(text)) return text;
    const names = pairedTags(text);
    if (names.length === 0) return neutral;
    const parts = text.split(new RegExp(`(</?(?:${names.join("|")})>)`));
    return parts.map((part) => (this.#isWire(part) ? part : neutral)).join("");
  }

  #isWire(text: string): boolean {
    if (!/\s/.test(text) || !hasWord(text)) return true;
    if (this.#ours.some((own) => own.includes(text))) return true;
    let rest = text;
    for (const own of this.#ours) rest = rest.replaceAll(own, " ");
    return !hasWord(rest);
  }
}

/** Names of the tags that a text opens and closes; `<path>` alone is a word of prose. */
function pairedTags(text: string): string[] {
  const names = [...text.matchAll(/<([a-z][a-z0-9_-]*)>/g)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => text.includes(`</${name}>`));
}

function hasWord(text: string): boolean {
  return /\p{L}/u.test(text);
}
