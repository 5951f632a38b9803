/**
 * Takes the power out of text that others wrote: models, tools, files, clipboards. What is left can only be read.
 *
 * Control characters become visible ones, so that no escape sequence moves the cursor, sets a title or writes to the clipboard. Marks
 * that turn the direction of writing are shown as well: with them a command reads as another one. Newlines stay, tabs become spaces.
 */
export function plainText(text: string): string {
  return text
    .replace(/\r\n|[\u2028\u2029]/g, "\n")
    .replaceAll("\t", "    ")
    .replace(control, (character) => {
      const code = character.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      return code === 0x7f ? "\u2421" : "\ufffd";
    });
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text)
    .trim()
    .replace(/\s*\n\s*/g, " ");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const control = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
