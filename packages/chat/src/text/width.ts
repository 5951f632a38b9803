import stringWidth from "string-width";

/** Splits text into what a reader takes for characters: an emoji of several parts is one. */
export function charactersOf(text: string): string[] {
  // Segmenting is slow, and plain ASCII has nothing to join.
  if (/^[\x20-\x7e\n]*$/.test(text)) return [...text];
  return slicesOf(text).flatMap((slice) => Array.from(segmenter().segment(slice), ({ segment }) => segment));
}

/** The segmenter takes time that grows with the square of the length: 10 s for 100,000 characters, 50 ms in slices of this many. */
const longestSlice = 1000;

/** Cuts between two ASCII characters, which never join, where there are any. */
function slicesOf(text: string): string[] {
  const slices: string[] = [];
  let start = 0;
  while (text.length - start > longestSlice) {
    let end = start + longestSlice;
    while (end > start + longestSlice / 2 && !/^[\x20-\x7e]{2}$/.test(text.slice(end - 1, end + 1))) end--;
    // Nowhere. At least not between the halves of a character.
    if (end === start + longestSlice / 2 && /^[\udc00-\udfff]/.test(text.slice(end, end + 1))) end++;
    slices.push(text.slice(start, end));
    start = end;
  }
  return [...slices, text.slice(start)];
}

/** Columns that text takes; colours take none. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** Cuts text that is wider, with an ellipsis. Knows nothing of colours: cut first. */
export function truncate(text: string, width: number): string {
  if (text.length <= width && /^[\x20-\x7e]*$/.test(text)) return text;
  if (text.length < 4 * width && widthOf(text) <= width) return text;
  let cut = "";
  let used = 0;
  // Enough to be sure: no character takes more than a few code units, unless somebody plays with it.
  for (const character of charactersOf(text.slice(0, 20 * Math.max(width, 1)))) {
    used += widthOf(character);
    if (used > width - 1) break;
    cut += character;
  }
  return width > 0 ? `${cut}…` : "";
}

let shared: Intl.Segmenter | undefined;

function segmenter(): Intl.Segmenter {
  shared ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return shared;
}
