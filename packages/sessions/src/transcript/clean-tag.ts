/**
 * Makes a tag fit to be shown: compatibility forms are unified, and what is invisible, private or unassigned goes.
 *
 * A tag of ASCII only stays as it is. What is taken away can bring a new form about, so this repeats until nothing changes.
 *
 * @throws RangeError when it does not settle; no text that is known to us does that.
 */
export function cleanTag(tag: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, control characters too.
  if (/^[\x00-\x7f]*$/.test(tag)) return tag.trim();
  let clean = tag;
  // The CLI gives up at the same count.
  for (let round = 0; round < 10; round++) {
    const next = clean
      .normalize("NFKC")
      .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "");
    if (next === clean) return clean.trim();
    clean = next;
  }
  throw new RangeError("The tag does not settle when it is cleaned. Use plain letters.");
}
